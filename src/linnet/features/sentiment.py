"""Small word lists for the `sentiment` features. `sentiment:POSITIVE,NEGATIVE` takes lists of one's own."""

POSITIVE = tuple(
    """
    admirable adorable amazing amusing appealing astonishing awesome beautiful beautifully best better brilliant
    brilliantly captivating charming classic clever comfortable compelling convincing delight delightful delicious
    easy effective elegant engaging enjoy enjoyable enjoyed entertaining enthralling excellent exceptional exciting
    fabulous fantastic fascinating fast favorite favourite fine flawless fresh friendly fun funny gem generous genius
    genuine good gorgeous great gripping happy helpful heartwarming hilarious honest impressive incredible innovative
    insightful inspired inspiring intelligent interesting joy likable love loved lovely magical magnificent masterful
    masterpiece memorable moving nice original outstanding perfect perfectly playful pleasant pleased pleasing pleasure
    powerful recommend recommended refreshing reliable remarkable rewarding riveting satisfying sharp sincere smart
    solid spectacular splendid strong stunning subtle success superb superior surprising sweet terrific thoughtful
    thrilling touching unforgettable unique warm well win witty wonderful wonderfully worth worthwhile
    award-winning first-rate heart-warming laugh-out-loud thought-provoking top-notch well-acted well-made well-written
    """.split()
)

NEGATIVE = tuple(
    """
    absurd annoying annoyed appalling atrocious avoid awful awkward bad badly bland bored boring broken cheap cheesy
    cliche cliched clumsy confused confusing crap crude dated dead defective depressing disappointed disappointing
    disappointment disaster dislike dreadful dull dumb empty error fail failed fails failure fake falls faulty flat
    flawed flaw flaws forced forgettable frustrating garbage generic hate hated hollow horrible horrid inane incoherent
    inconsistent inept inferior insipid insulting irritating lack lacking lacks lame lazy lifeless ludicrous mediocre
    mess messy mindless miserable mistake misguided muddled nasty nonsense obnoxious obvious offensive overlong
    overrated painful pathetic pointless poor poorly predictable pretentious problem refund regret repetitive
    ridiculous rude sadly shallow silly slow sloppy stale stupid stupidity tedious terrible tired tiresome trash trite
    ugly unconvincing unfortunately unfunny uninspired unpleasant unreliable unwatchable useless waste wasted weak
    worse worst worthless wrong
    corny half-baked ham-fisted heavy-handed hokey long-winded low-brow mean-spirited one-dimensional
    run-of-the-mill second-rate so-so third-rate
    """.split()
)

PRONOUNS = tuple("i me my mine myself we us our ours ourselves you your yours yourself yourselves".split())

NEGATIONS = tuple(
    """
    not no never none nobody nothing nowhere neither nor cannot hardly barely scarcely without 't
    """.split()
)
