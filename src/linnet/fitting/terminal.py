"""What a session is, for the terminal: the lines that `print` shows."""

from __future__ import annotations

from rich.console import RenderableType

from linnet.fitting.session import Session
from linnet.report.terminal import counted, listed, named


def session_facts(session: Session) -> RenderableType:
    """The task, the learner, the labels and the features of a session, and how much it has learned."""
    return named(
        {
            "task": session.task,
            "learner": session.learner,
            "labels": listed(session.labels),
            "features": counted(session.features),
            "lessons": f"{session.n_lessons:,}",
            "start": session.said,
        }
    )
