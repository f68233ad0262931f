"""Figures for notebooks and papers, drawn by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from numpy.typing import ArrayLike

from . import Extractor, Set, Texts

try:
    from matplotlib import pyplot
except ImportError as missing:
    raise ImportError("isogloss.plot needs matplotlib: pip install matplotlib") from missing

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def map(X: Union[ArrayLike, Set], lang: Optional[Texts] = None, ax: Optional[Axes] = None, *,
        extractor: Optional[Extractor] = None, space: Optional[str] = None, unit: bool = True,
        **scatter: Any) -> Axes:
    """Scatter plot of the first two principal components of vectors (n, d), a Set, or a space of a
    fitted extractor, a colour for each language. unit: scale each row to length 1 first;
    scatter: keywords of Axes.scatter. Returns the axes: `ax`, or new ones."""
    rows = Set.of(X, lang)
    xy, share = rows.project(2, extractor, space, unit)
    codes = [rows.row(i)[0] for i in range(len(rows))]
    ax = pyplot.subplots()[1] if ax is None else ax
    for code in dict.fromkeys(codes):
        of = [i for i, other in enumerate(codes) if other == code]
        ax.scatter(*xy[of].T, **{"s": 8, "alpha": 0.6, "linewidths": 0, "label": code, **scatter})
    for axis, ratio, name in ((ax.xaxis, share[0], "first"), (ax.yaxis, share[1], "second")):
        axis.set_label_text(f"{name} component ({ratio:.0%} of the variance)")
    ax.set_aspect("equal", "datalim")
    ax.legend(markerscale=2)
    return ax
