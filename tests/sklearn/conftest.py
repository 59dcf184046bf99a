import pytest

SENTENCES = [
    ("The café was warm, and the waiter remembered our names.", "food"),
    ("Cold soup again; I would not eat there a second time!", "food"),
    ("They bake the bread themselves, and you can smell it from the street.", "food"),
    ("Ask for the fish: it comes from the harbour, not from a freezer.", "food"),
    ("We waited an hour for two plates of rice.", "food"),
    ("The dessert menu has three kinds of plum cake.", "food"),
    ("The striker missed two penalties, and the match ended without a goal.", "sport"),
    ("She ran the marathon in under three hours, with a broken toe.", "sport"),
    ("Our goalkeeper kept the team in the match, as he does every week.", "sport"),
    ("It rained so hard that the race was stopped after ten laps.", "sport"),
    ("The coach changed the team at half time; it did not help.", "sport"),
    ("Nobody had run the last lap faster since 1988.", "sport"),
    ("The minister said that taxes would fall — next year, perhaps.", "news"),
    ("Voters in the north went to the polls in heavy snow.", "news"),
    ("A new law will let the council close the street to cars.", "news"),
    ("Der Zug nach Zürich fällt aus, sagte der Minister am Montag.", "news"),
    ("The vote was close: the law passed by one voice.", "news"),
    ("Prices rose by 3.5% in a year, and wages by half of that.", "news"),
]


@pytest.fixture(scope="session")
def texts():
    return [text for text, _ in SENTENCES]


@pytest.fixture(scope="session")
def topics():
    return [topic for _, topic in SENTENCES]
