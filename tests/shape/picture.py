"""Arrows out of a picture drawn with characters.

A node is a word between spaces: one of the names that the caller gives, or anything in parentheses. An arrow is a line of - or = (across), | (down)
and . ' + (corners, junctions), with > < ^ v at its heads. It touches a node directly or across one space. Its label stands in the line, without spaces:
"a --label--> b"; a comma separates several. All tails of one line lead to all of its heads. An arrow without a tail has that of the arrow above it
which begins in the same column.
"""
import re

across, down = [(0, 1), (0, -1)], [(1, 0), (-1, 0)]
heads = {">": (0, 1), "<": (0, -1), "v": (1, 0), "^": (-1, 0)}


class Picture:
    def __init__(self, text, names):
        self.rows = text.split("\n")
        self.node_at, self.nodes = {}, set()
        words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        for y, row in enumerate(self.rows):
            for word in re.finditer(rf"(?<!\S)({words}|\([^)]*\))(?!\S)", row):
                self.nodes.add(word[1])
                self.node_at.update({(y, x): word[1] for x in range(*word.span(1))})

    def char(self, y, x):
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) else " "

    def is_head(self, y, x):
        return self.char(y, x) in heads and not (self.char(y, x - 1) + self.char(y, x + 1)).strip(" .+'").isalpha()

    def directions(self, y, x):
        char = self.char(y, x)
        if char in "|^" or char == "v" and self.is_head(y, x):
            return down
        return across + down if char in ".'+" else across

    def is_line(self, at):
        return at not in self.node_at and self.char(*at) != " "

    def line_from(self, first):
        """All cells of the line that this one belongs to."""
        line, new = {first}, [first]
        while new:
            y, x = new.pop()
            for dy, dx in self.directions(y, x):
                next_one = (y + dy, x + dx)
                if next_one not in line and self.is_line(next_one) and (-dy, -dx) in self.directions(*next_one):
                    line.add(next_one)
                    new.append(next_one)
        return line

    def node_beside(self, y, x, dy, dx):
        beside = (y + dy, x + dx)
        if beside not in self.node_at and dx and self.char(*beside) == " ":
            beside = (y + dy, x + 2 * dx)
        return self.node_at.get(beside)

    def label_of(self, line):
        """What stands in the line, without the line itself and without heads."""
        letters = "".join(self.char(y, x) if (y, x) in line else " " for y, row in enumerate(self.rows) for x in range(len(row) + 1))
        return [word for word in re.split(r"[^A-Za-z_]+", letters) if len(word) > 1]

    def arrows(self):
        """(from, label, to) of each arrow."""
        found, seen, tails_at = [], set(), {}
        for y, row in enumerate(self.rows):
            for x in range(len(row)):
                if (y, x) in seen or not self.is_line((y, x)):
                    continue
                line = self.line_from((y, x))
                seen |= line
                tails, targets = set(), set()
                for cy, cx in line:
                    for dy, dx in self.directions(cy, cx):
                        node = self.node_beside(cy, cx, dy, dx)
                        if not node or (cy + dy, cx + dx) in line:
                            continue
                        if not self.is_head(cy, cx):
                            tails.add(node)
                        elif heads[self.char(cy, cx)] == (dy, dx):
                            targets.add(node)
                tails = tails or tails_at.get(x, set())
                tails_at[x] = tails
                if not tails or not targets:
                    raise ValueError(f"line {y + 1}: an arrow from {tails or 'nowhere'} to {targets or 'nowhere'}:\n{row}")
                labels = self.label_of(line)
                is_double = all(self.char(*cell) in "=<>" or self.char(*cell).isalpha() for cell in line)
                for label in ["="] if is_double else labels or [""]:
                    found += [(tail, label, target) for tail in tails for target in targets]
        return found
