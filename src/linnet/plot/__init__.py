"""Pictures: small and alone, as SVG or HTML, in the colours of all pages; a notebook shows them by itself.

linnet.plot.losses()                                        four losses over the margin
linnet.plot.learning(model)                                 how a model was learned, epoch by epoch
linnet.plot.plane(table, x="age", y="income")               learners on the points of two features
linnet.plot.plane(table, x="age", y="income", learners="svm")    one of them, epoch by epoch
linnet.plot.sizes(data)                                     bias and variance by the size of the training part
"""

from linnet.plot.learning import learning
from linnet.plot.losses import losses
from linnet.plot.plane import plane
from linnet.plot.sizes import sizes
from linnet.report.pictures import Picture

__all__ = ["Picture", "learning", "losses", "plane", "sizes"]
