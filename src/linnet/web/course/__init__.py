"""The course: pages on which the learners of the lectures are stepped through and played with.

Nothing is learned in the browser: a page sends its points, texts or sentences, the server trains the learner of linnet on
them, and the page draws the trace. `learners` are those that can be chosen, with their knobs and equations; `plane`, `texts`,
`losses` and `tags` answer the questions of a page each, within bounds that keep every answer below a second; `pages` and
`bodies` are the pages, and `routes` has all of it.
"""
