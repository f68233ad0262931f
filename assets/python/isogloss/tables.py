"""Figures of one or several evaluations as a table: text, HTML, pandas."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas


class FigureTable:
    """What one evaluation and several have in common. _versions returns {name: evaluation};
    the name of a single one is None."""

    def to_frame(self) -> pandas.DataFrame:
        """All rows as a pandas.DataFrame: version (of several), measure, label, from, to, n,
        value, chance, low, high, reason."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_frame needs pandas: pip install pandas") from error
        return pandas.DataFrame([{**({} if name is None else {"version": name}), **row}
                                 for name, each in self._versions().items()
                                 for row in each.rows()])

    def _table(self):
        """Header and cells of the figures over all rows; and how many could not be computed."""
        versions = self._versions()
        whole = [{row["measure"]: row for row in reversed(each.rows())
                  if row["from"] is None and row["to"] is None} for each in versions.values()]
        keys = list(next(iter(versions.values()), ()))
        known = [key for key in keys
                 if any(not math.isnan(each[key]) for each in versions.values())]
        cells = [[key, *(_number(each[key]) for each in versions.values())] for key in known]
        header = ["figure", *("value" if name is None else str(name) for name in versions)]
        if len(versions) == 1:
            extra = [name for name in ("low", "high", "chance") if any(
                not math.isnan(row[name]) for row in whole[0].values())]
            header += extra
            for line in cells:
                line += [_number(whole[0].get(line[0], {}).get(name, math.nan)) for name in extra]
        return header, cells, len(keys) - len(known)

    def __repr__(self):
        header, cells, missing = self._table()
        lines = [header, *cells]
        widths = [max(map(len, column)) for column in zip(*lines)]
        text = [line[0].ljust(widths[0]) + "".join(
            "  " + cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))
            for line in lines]
        return "\n".join(text + _note(missing))

    def _repr_html_(self):
        header, cells, missing = self._table()
        rows = "".join("<tr>" + "".join(
            f"<{tag}>{html.escape(cell)}</{tag}>" for cell in line) + "</tr>"
            for tag, lines in (("th", [header]), ("td", cells)) for line in lines)
        return f"<table>{rows}</table>" + "".join(
            f"<p>{html.escape(line)}</p>" for line in _note(missing))


def _number(value):
    return "–" if math.isnan(value) else f"{value:.4f}"


def _note(missing):
    return [f"{missing} figures cannot be computed: reason(key) states why"] if missing else []
