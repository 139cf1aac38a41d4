# SPDX-License-Identifier: BSL-1.0
"""Stands in for NVIDIA's ncu-report where that is not installed: the part of its interface that source_page.py calls, over
JSON that is made by hand. A file that is no report has no ranges there, so here."""
import json


class Ids:
    def __init__(self, values):
        self.values = values

    def as_uint64(self, k):
        return self.values[k]


class Metric(Ids):
    def __init__(self, of):
        super().__init__(list(of.values()))
        self.addresses = [int(address, 16) for address in of]

    def num_instances(self):
        return len(self.values)

    def has_correlation_ids(self):
        return bool(self.values)

    def correlation_ids(self):
        return Ids(self.addresses)


class Action:
    def __init__(self, of):
        self.of = of

    def name(self):
        return self.of["name"]

    def metric_by_name(self, name):
        return Metric(self.of["metrics"][name]) if name in self.of["metrics"] else None

    def sass_by_pc(self, address):
        return self.of["sass"][hex(address)]


def load_report(path):
    try:
        with open(path) as file:
            return [[Action(of) for of in json.load(file)]]
    except ValueError:
        return []
