"""The alternative annotator test against its authors' implementation.

The recorded values are those that `alt_test` of github.com/nitaytech/AltTest (commit 13eada2, with scipy 1.17.1)
returned for the sets that `draw` makes, and the p-values of its t-tests.
"""

from random import Random

import pytest

from desktop_rater.stats.replacement import replacement_test

RECORDED = {
    (1, "choice"): (
        0.5,
        0.8289236538568981,
        [0.0005133421237822506, 0.04844102070923105, 0.00980730414012908, 0.15835192665868927],
    ),
    (1, "scale"): (
        0.75,
        0.8225922410202184,
        [0.00011760603844563911, 0.002492222858889369, 0.00515154043838029, 0.2611522780812502],
    ),
    (4, "scale"): (
        1.0,
        0.9306622746185853,
        [6.970187370950195e-15, 3.161929288490985e-09, 3.3059221248158437e-06, 1.3630908895583716e-05],
    ),
    (5, "choice"): (
        0.25,
        0.7918642937944408,
        [0.0009591664665514157, 0.020431576723356437, 0.20080109840927102, 0.2636667851196211],
    ),
    (5, "scale"): (
        0.0,
        0.7115334608301794,
        [0.014734283250939463, 0.19781645801098588, 0.5406854254771268, 0.5776267911046298],
    ),
    (6, "choice"): (0.5, 0.7834804284617073, [0.006916345302198935, 0.0038747400326397926, 0.5, 0.3814873271415234]),
}


def draw(seed, kind):
    """Raters who are right with different chances, and leave things out; a model; a task for each unit."""
    random = Random(seed)
    count, steps = 120, 5 if kind == "scale" else 3
    truth = [random.randrange(steps) for _ in range(count)]

    def given(chance, missing):
        values = {}
        for number, value in enumerate(truth):
            wrong = (
                random.randrange(steps) if kind == "choice" else min(steps - 1, max(0, value + random.choice((-1, 1))))
            )
            told = value if random.random() < chance else wrong
            if random.random() >= missing:
                values[f"t{number}", "task"] = float(told) if kind == "scale" else f"v{told}"
        return values

    people = {f"r{number}": given(0.5 + number / 10, 0.15) for number in range(4)}
    people["seldom"] = given(0.7, 0.85)
    return people, given(0.5 + seed % 5 / 10, 0.02)


@pytest.mark.parametrize(("seed", "kind"), RECORDED)
def test_rates_and_p_values_are_those_of_the_authors(seed, kind):
    people, model = draw(seed, kind)
    found = replacement_test(people, model, epsilon=0.15, numeric=kind == "scale", seed=1)
    rate, advantage, p_values = RECORDED[seed, kind]
    assert found.winning_rate.value == pytest.approx(rate, abs=1e-12)
    assert found.advantage.value == pytest.approx(advantage, abs=1e-12)
    assert [row.p for row in found.raters] == pytest.approx(p_values, rel=1e-9)
    assert [name for name, _ in found.too_few] == ["seldom"]
    assert found.advantage.low is not None
    assert found.advantage.high is not None
    assert found.advantage.low < advantage < found.advantage.high


def test_units_that_say_the_same_in_one_task_are_no_further_proof():
    people, model = draw(1, "choice")

    def tenfold(values):
        return {(task, f"targets/{copy}"): value for (task, _), value in values.items() for copy in range(10)}

    once = replacement_test(people, model, epsilon=0.15, numeric=False, seed=1)
    repeated = replacement_test(
        {rater: tenfold(values) for rater, values in people.items()},
        tenfold(model),
        epsilon=0.15,
        numeric=False,
        seed=1,
    )
    assert [row.p for row in repeated.raters] == pytest.approx([row.p for row in once.raters])
    assert repeated.winning_rate == once.winning_rate
    low, high = once.winning_rate.low, once.winning_rate.high
    assert low is not None
    assert high is not None
    assert 0 <= low <= 0.5 <= high <= 1
    assert [row.units for row in repeated.raters] == [10 * row.units for row in once.raters]
    assert (repeated.advantage.low, repeated.advantage.high) == pytest.approx((once.advantage.low, once.advantage.high))


@pytest.mark.parametrize(("right", "rate"), [(True, 1), (False, 0)])
def test_a_model_that_wins_against_all_or_none_of_five_raters_may_not_against_others(right, rate):
    people = {f"r-{rater}": {(f"t-{task}", "task"): "yes" for task in range(40)} for rater in range(5)}
    model = {(f"t-{task}", "task"): "yes" if right else "no" for task in range(40)}
    found = replacement_test(people, model, epsilon=0.1, numeric=False, seed=1).winning_rate
    assert found.value == rate
    assert (found.low, found.high) == pytest.approx(sorted((rate, 0.434 if rate == 0 else 0.566)), abs=1e-3)


def test_the_needed_epsilon_is_the_smallest_that_lets_the_model_pass():
    people, model = draw(1, "choice")
    needed = replacement_test(people, model, epsilon=0, numeric=False, seed=1).needed
    assert needed is not None
    passed = [
        replacement_test(people, model, epsilon=epsilon, numeric=False, seed=1).winning_rate.value or 0
        for epsilon in (needed - 0.01, needed)
    ]
    assert passed[0] < 0.5 <= passed[1]


def test_with_few_tasks_or_without_others_nothing_is_claimed():
    people, model = draw(1, "choice")
    alone = replacement_test({"r0": people["r0"]}, model, epsilon=0.15, numeric=False, seed=1)
    assert (alone.winning_rate.value, alone.raters, alone.advantage.value, alone.needed) == (None, (), None, None)
