"""The messy files of docs/tutorial.md: messages to a shop, as an old program exports them.

    python examples/tickets.py          writes tickets.csv, checked.csv, june.csv and july.csv into this folder

All files have semicolons between columns, the encoding cp1252 and long column names. tickets.csv and july.csv have the team
that answered each message, as clerks have typed it: in several spellings, sometimes not at all, and for one message of fifteen
a team by chance. checked.csv has teams that somebody has looked through, june.csv has none. The files are the same each time.
"""

import csv
import random

OPENINGS = ["Hello,", "Dear team,", "Hi there!", "Good morning.", "", "", "<p>Hello,</p>", "Dear Sir or Madam,"]
CLOSINGS = ["Thanks!", "Please help.", "Kind regards", "<br />Sent from my phone", "", "", "I am waiting.", "Best, Zoë"]
THINGS = [
    "blue kettle",
    "desk lamp",
    "rain jacket",
    "coffee grinder",
    "café table",
    "pair of boots",
    "tea & coffee set",
]
DELIVERY = """My parcel has not arrived yet.
The tracking page has said the same for {n} days.
Where is my {thing}?
The courier left the {thing} in the rain.
Can you send it to another address?
When will the {thing} be here?
The {thing} was to come last week.
Nobody rang the bell, and now it is at the depot."""
BILLING = """I was charged twice for one {thing}.
The invoice says £{n}9, but the {thing} was £{n}5.
My voucher was not accepted.
Please send me an invoice with our VAT number.
My card was declined, but the money is gone.
When do I get my money back?
The discount for the {thing} is missing.
Can I pay for the {thing} by bank transfer?"""
RETURNS = """I want to send the {thing} back.
The {thing} is broken.
The {thing} does not fit, can I have a larger one?
It is not the colour in the picture.
Where is the label for the return?
The {thing} stopped working after {n} days.
I got a {thing} that I have not ordered.
Can I exchange it for another {thing}?"""
ACCOUNT = """I cannot log in any more.
The link to reset my password does nothing.
Please delete my account and all my data.
How do I change my address?
I get {n} newsletters a day, please stop them.
Your site says that my e-mail is unknown."""
SAID = {"delivery": DELIVERY, "billing": BILLING, "returns": RETURNS, "account": ACCOUNT}
SHARES = [10, 6, 6, 3]
UNCLEAR = ["I ordered a {thing} {n} days ago.", "I have written {n} times.", "Nobody answers the phone.", "What now?"]
TYPED = [str, str, str, str, str, str, str, str.capitalize, str.upper, lambda team: f"{team} "]
MISSING = ["", "n/a", "NULL"]
FILES = {
    "tickets.csv": (1200, "typed"),
    "checked.csv": (300, "checked"),
    "june.csv": (200, ""),
    "july.csv": (400, "typed"),
}


def message(team: str) -> str:
    """A message for a team: two or three sentences, of which one may be for another team, or for any."""
    said = random.sample(SAID[team].splitlines(), random.choice([1, 1, 2]))
    said.append(random.choice(UNCLEAR if random.random() < 0.6 else SAID[random.choice(list(SAID))].splitlines()))
    random.shuffle(said)
    text = " ".join([random.choice(OPENINGS), *said, random.choice(CLOSINGS)]).strip()
    return text.replace("{thing}", random.choice(THINGS)).replace("{n}", str(random.randint(2, 9)))


def typed(team: str, row: int) -> str:
    """A team as a clerk has typed it."""
    if row % 40 == 7:
        return random.choice(MISSING)
    return random.choice(TYPED)(random.choice(list(SAID)) if row % 15 == 3 else team)


def write(path: str, n: int, teams: str) -> None:
    """Write a file of n messages, some of them twice; the column of the teams is `typed`, `checked`, or not there."""
    with open(path, "w", encoding="cp1252", newline="") as file:
        table = csv.writer(file, delimiter=";")
        table.writerow(["Ticket No.", "Customer message", "Team (final)"][: 3 if teams else 2])
        for row in range(n):
            team = random.choices(list(SAID), SHARES)[0]
            label = typed(team, row) if teams == "typed" else team
            table.writerows(
                [[f"T-{10_000 + row}", message(team), label][: 3 if teams else 2]] * (2 if row % 100 == 50 else 1)
            )


if __name__ == "__main__":
    for path, (n, teams) in FILES.items():
        random.seed(path)
        write(path, n, teams)
