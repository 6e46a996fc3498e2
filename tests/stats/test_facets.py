"""The many-facet model: a published example, an independent integration, and the recovery of known parameters."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from desktop_rater.stats.reliability import fit_facets, reason_for_no_model
from desktop_rater.stats.weighted_agreement import ScaleRatings, scale_ratings

# How many of 1,000 gave each pattern of five answers, 00000 to 11111: LSAT, section 6 (Bock, Lieberman 1970).
LSAT = [3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15, 10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28]
LSAT += [298]


def test_with_two_steps_it_is_the_rasch_model_of_bock_and_aitkin():
    patterns = [pattern for pattern, count in enumerate(LSAT) for _ in range(count)]
    rows = [
        (f"u{number}", f"item {item}", f"u{number}", float(pattern >> (4 - item) & 1))
        for number, pattern in enumerate(patterns)
        for item in range(5)
    ]
    model = fit_facets(scale_ratings(rows))
    # Bock, Aitkin 1981, and R's ltm 1.2: rasch(LSAT), log-likelihood -2466.938, discrimination 0.7551.
    assert [round(row.severity, 3) for row in model.raters] == [-1.255, 0.476, 1.235, 0.168, -0.625]
    assert model.spread[0] == pytest.approx(0.7551, abs=5e-5)
    assert model.log_likelihood == pytest.approx(-2466.938, abs=5e-4)
    ((step, _error),) = model.steps
    dsc = model.spread[0]
    difficulty = [round((row.severity + step) / dsc, 4) for row in model.raters]
    assert difficulty == pytest.approx([-3.6153, -1.3224, -0.3176, -1.7301, -2.7802], abs=1e-4)


STEPS = np.array([-1.5, -0.3, 0.4, 1.4])


def chances(level: float) -> np.ndarray:
    logits = np.arange(5) * level - np.append(0, STEPS.cumsum())
    return np.exp(logits) / np.exp(logits).sum()


def simulated(seed: int, units: int, raters: int, each: int) -> tuple[ScaleRatings, np.ndarray]:
    random = np.random.default_rng(seed)
    severity = random.normal(0, 0.8, raters)
    severity -= severity.mean()
    rows = [
        (f"u{unit:04}", f"r{rater:02}", f"u{unit:04}", 1.0 + random.choice(5, p=chances(level - severity[rater])))
        for unit, level in enumerate(random.normal(0, 1.2, units))
        for rater in random.choice(raters, each, replace=False)
    ]
    return scale_ratings(rows), severity


def test_known_severities_steps_and_spread_are_recovered():
    ratings, severity = simulated(3, 800, 20, 4)
    model = fit_facets(ratings)
    distances = [(row.severity - true) / row.error for row, true in zip(model.raters, severity, strict=True)]
    assert np.mean(np.abs(distances) < 2.6) == 1
    assert 0.6 < np.std(distances) < 1.4
    assert all(abs(step - true) < 2.6 * error for (step, error), true in zip(model.steps, STEPS, strict=True))
    assert abs(model.spread[0] - 1.2) < 2.6 * model.spread[1]
    assert model.reliability > 0.9
    fits = np.array([[row.infit, row.outfit] for row in model.raters])
    assert np.all((fits > 0.6) & (fits < 1.5))
    assert np.mean(fits) == pytest.approx(1, abs=0.03)


def test_the_likelihood_is_that_of_an_independent_integration():
    ratings, _severity = simulated(5, 30, 3, 3)
    model = fit_facets(ratings)
    severity, steps = [row.severity for row in model.raters], np.array([step for step, _error in model.steps])
    total = 0.0
    for unit in range(30):
        given = [
            (rater, int(value - 1))
            for rater, value, at in zip(ratings.rater, ratings.value, ratings.unit, strict=True)
            if at == unit
        ]

        def density(level: float, given: list[tuple[int, int]] = given) -> float:
            product = norm.pdf(level, scale=model.spread[0])
            for rater, step in given:
                logits = np.arange(5) * (level - severity[rater]) - np.append(0, steps.cumsum())
                product *= np.exp(logits[step]) / np.exp(logits).sum()
            return product

        total += np.log(quad(density, -12, 12, epsabs=1e-12, limit=200)[0])
    assert model.log_likelihood == pytest.approx(total, abs=1e-3)


def test_a_rater_at_random_does_not_fit():
    ratings, _severity = simulated(8, 300, 6, 4)
    value, random = ratings.value.copy(), np.random.default_rng(1)
    of_last = ratings.rater == 5
    value[of_last] = random.integers(1, 6, of_last.sum())
    fits = [row.outfit for row in fit_facets(ratings._replace(value=value)).raters]
    assert fits.index(max(fits)) == 5
    assert max(fits) > 1.5 > sorted(fits)[-2]


def test_too_little_data_is_said():
    ratings, _severity = simulated(3, 20, 4, 3)
    assert reason_for_no_model(ratings) == "fewer than 30 units have two ratings"
    ratings, _severity = simulated(3, 200, 4, 3)
    assert reason_for_no_model(ratings) == ""
    assert reason_for_no_model(ratings._replace(value=np.ones_like(ratings.value))) == "every rating is the same"
    stuck = np.where(ratings.rater == 2, 3.0, ratings.value)
    assert reason_for_no_model(ratings._replace(value=stuck)) == "a rater gave the same value everywhere"
