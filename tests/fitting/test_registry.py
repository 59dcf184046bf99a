"""Tasks by name, and what is found of a task without importing it."""

import pytest

from linnet.errors import UsageError
from linnet.fitting.registry import TASKS, Tasks


@pytest.mark.parametrize("name", list(TASKS))
def test_the_model_and_the_commands_of_a_task_are_found_without_it(name):
    fresh, task = Tasks(), TASKS.named(name)
    assert fresh.model(name) is task.model
    assert fresh.commands(name) is task.commands
    assert fresh._tasks[name] is None


def test_a_task_that_is_added_has_its_own_model_and_commands():
    tasks, other = Tasks(), TASKS.named("tag")

    class Mine:
        name = "labels"
        model = other.model
        commands = other.commands

    tasks.add(Mine())
    assert tasks.model("labels") is other.model
    assert tasks.commands("labels") is other.commands


def test_a_task_that_does_not_exist_has_neither():
    for find in (TASKS.named, TASKS.model, TASKS.commands):
        with pytest.raises(UsageError, match=r"there is no task 'lables'. Did you mean 'labels'\?"):
            find("lables")
