"""Where to divide a word: a structure of one's own, learned from 100 Spanish words.

    GEN(x) = all ways to cut n letters into syllables; y has the end of each
    block 0:  syllables (i, j) x 1      letters i .. j - 1 are a syllable

    best[j] = max over i < j of best[i] + theta[i, j]          log sum exp in the place of max, forward and backward: log Z

A syllable is seen as a whole (it has one vowel or two, "br" may begin it), which tags of single letters cannot say.
"""

import itertools
import re

import numpy as np

import linnet
from linnet.structures.checks import check_structure

WORDS = """
ca-sa me-sa ven-ta-na puer-ta li-bro pa-la-bra es-cue-la a-mi-go her-ma-no pri-mo ár-bol flor cam-po mon-ta-ña rí-o ciu-dad
ca-lle pla-za mer-ca-do tien-da cua-der-no lá-piz pro-fe-sor es-tu-dian-te cla-se tra-ba-jo di-ne-ro tiem-po ho-ra mi-nu-to
se-ma-na a-ño pri-ma-ve-ra ve-ra-no o-to-ño in-vier-no ma-ña-na tar-de no-che sol lu-na es-tre-lla cie-lo tie-rra mar pla-ya
a-re-na is-la bar-co a-vión tren co-che bi-ci-cle-ta ca-mi-no puen-te pa-pel te-ne-dor cu-cha-ra cu-chi-llo pla-to va-so
bo-te-lla a-gua le-che que-so pan man-te-qui-lla a-zú-car sal car-ne pes-ca-do po-llo hue-vo fru-ta man-za-na na-ran-ja
plá-ta-no u-va ver-du-ra to-ma-te ce-bo-lla pa-ta-ta za-na-ho-ria le-chu-ga pe-rro ga-to ca-ba-llo va-ca o-ve-ja cer-do
pá-ja-ro ra-tón ser-pien-te e-le-fan-te ti-gre le-ón mú-si-ca gui-ta-rra pia-no can-ción bai-le pe-lí-cu-la te-a-tro
pin-tu-ra co-lor blan-co ne-gro ro-jo ver-de a-zul a-ma-ri-llo cuer-po ca-be-za o-jo na-riz bo-ca o-re-ja bra-zo ma-no de-do
pier-na pie co-ra-zón san-gre mé-di-co hos-pi-tal en-fer-mo sa-lud a-le-gre tris-te her-mo-so fuer-te rá-pi-do len-to gran-de
pe-que-ño nue-vo vie-jo jo-ven
""".split()


C = "[^aeiouáéíóú]"


def kinds(letters):
    """Consonants, vowels, and those that may go with another vowel: "ciu" is CII."""
    return re.sub("[^VI]", "C", re.sub("[iu]", "I", re.sub("[aeoáéíóú]", "V", letters)))


class Syllables(linnet.Structure):
    outcomes = (1,)

    def features(self, word):
        """Of letters i .. j - 1, in the order of `place`: what it is made of, how it begins and ends, and what comes next."""
        seen = []
        for j in range(1, len(word) + 1):
            for i in range(j):
                onset, coda = (re.search(pattern, word[i:j])[0] for pattern in (f"^(qu|{C}*)", f"{C}*$"))
                seen.append([kinds(word[i:j]), f"{onset}-", f"-{coda}", f"-{coda}|{kinds(word[j : j + 1])}"])
        return [seen]

    def place(self, i, j):
        return j * (j - 1) // 2 + i

    def mu(self, y):
        return [(0, self.place(i, j), 0) for i, j in itertools.pairwise((0, *y))]

    def argmax(self, theta):
        best = [(0.0, ())]
        for j in range(1, self.length(theta) + 1):
            best.append(max((best[i][0] + theta[0][self.place(i, j), 0], (*best[i][1], j)) for i in range(j)))
        return best[-1][1]

    def marginals(self, theta):
        n = self.length(theta)
        ahead, behind, p = np.zeros(n + 1), np.zeros(n + 1), np.zeros_like(theta[0])
        for j in range(1, n + 1):
            ahead[j] = np.logaddexp.reduce([ahead[i] + theta[0][self.place(i, j), 0] for i in range(j)])
        for i in range(n - 1, -1, -1):
            behind[i] = np.logaddexp.reduce([theta[0][self.place(i, j), 0] + behind[j] for j in range(i + 1, n + 1)])
        for j in range(1, n + 1):
            for i in range(j):
                p[self.place(i, j), 0] = np.exp(ahead[i] + theta[0][self.place(i, j), 0] + behind[j] - ahead[n])
        return float(ahead[n]), [p]

    def length(self, theta):
        """n, of n (n + 1) / 2 places."""
        return int((2 * len(theta[0])) ** 0.5)


def all_outputs(places):
    """For check_structure: each subset of the ends before the last."""
    n = int((2 * places[0]) ** 0.5)
    return [(*(j + 1 for j, cut in enumerate(cuts) if cut), n) for cuts in np.ndindex(*[2] * (n - 1))]


def data():
    """Words, and the ends of their syllables."""
    return [w.replace("-", "") for w in WORDS], [
        tuple(np.cumsum([len(part) for part in w.split("-")]).tolist()) for w in WORDS
    ]


if __name__ == "__main__":
    check_structure(Syllables, ["a", "mar", "pluma"], outputs=all_outputs)
    X, Y = data()
    for learner in ("averaged-perceptron", "averaged-mira", "crf"):
        print(learner, linnet.learn(Syllables, X[:100], Y[:100], learner=learner).evaluate(X[100:], Y[100:]))
