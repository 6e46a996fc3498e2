"""People judge a random sample, a model everything: what both say together, and when that is refused."""

import json
import random
import zipfile

import numpy as np
import pytest
from scipy.special import stdtrit

from desktop_rater.audit.digest import Digest
from desktop_rater.audit.results import Audit, ReceivedRating
from desktop_rater.audit.reviews import Reviews
from desktop_rater.audit.sampling import ReviewSample, SampleStratum
from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.assign import assign_tasks
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.operations.rubrics import builtin_rubric
from desktop_rater.plugins.statistics.assisted import BEYOND, NO_REST, UNLIKE, assisted, drawn_places
from desktop_rater.stats.cluster_bootstrap import ratio, share
from tests.operations.bundles import make, noon, take_in, write_lines, writer
from tests.plugins.statistics.test_systems import Final


def sums_of(cluster, human, model, judged):
    """Sums by cluster of one figure, as the formula takes them."""
    sums = np.zeros((cluster.max() + 1, 1, 3, 2))
    for kind, (values, chosen) in enumerate([(human, judged), (model, judged), (model, ~judged)]):
        pairs = np.stack([values, np.ones(len(values))], axis=1)
        np.add.at(sums, (cluster[chosen], 0, kind), pairs[chosen])
    return sums


def ends(estimate):
    """Both ends of an interval that is there."""
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


def test_of_single_units_the_mean_is_that_of_ppi_py():
    """ppi-python 0.2.3, `ppi_mean_pointestimate` and `ppi_mean_ci` with alpha 0.05, on these values.

    Value and weight are the same. Its interval has the normal quantile and takes the weight as given; ours has that of
    t and the weight anew without each cluster, so that it is wider with 20 judged units.
    """
    unit = np.arange(60)
    model = (unit * 7 % 23) / 10
    human = 0.8 * model + (unit * 11 % 13 - 6) / 10
    sums = sums_of(unit, human, model, unit < 20)
    result = assisted(sums)
    assert result.estimate.value == pytest.approx(0.8545951214128036, abs=1e-12)
    assert assisted(sums, weight=1).estimate.value == pytest.approx(0.8290000000000002, abs=1e-12)
    low, high = 0.6582558203773548, 1.0509344224482524
    own_low, own_high = ends(result.estimate)
    assert own_low < low < high < own_high
    assert own_high - own_low < 1.2 * (high - low)
    assert (result.clusters, result.labelled) == (60, 20)


def test_of_equal_clusters_the_mean_is_that_of_glide():
    """glide-py 0.11.0, `ClusteredPPIMeanEstimator`, on these values.

    Its covariance is divided by the judged clusters minus one, that of PPI++ by the judged clusters.
    """
    unit = np.arange(192)
    cluster = unit // 4
    model = (cluster * 7 % 23) / 10 + (unit * 5 % 7) / 10
    human = 0.5 * model + (cluster * 11 % 13 - 6) / 10 + (unit * 3 % 5) / 20
    sums = sums_of(cluster, human, model, cluster < 16)
    weight = (assisted(sums).weight or 0) * 16 / 15
    assert assisted(sums, weight=weight).estimate.value == pytest.approx(0.7974976610451767, abs=1e-12)


def study(seed, judged, clusters, *, in_part=False, as_share=False):
    """Clusters of one to eight units, whose level rises with their size; a model that follows people half-way."""
    draws = np.random.default_rng(seed)
    size = draws.integers(1, 9, clusters)
    cluster = np.repeat(np.arange(clusters), size)
    human = (draws.normal(0, 1, clusters) + (size - 4.5) * 0.15)[cluster] + draws.normal(0, 0.7, len(cluster))
    model = 0.8 * human + draws.normal(0, 0.5, clusters)[cluster] + draws.normal(0, 0.5, len(cluster))
    if as_share:
        human, model = (human > 1).astype(float), (model > 0.8).astype(float)
    chosen = draws.random(len(cluster)) < judged / clusters if in_part else cluster < judged
    return sums_of(cluster, human, model, chosen)


@pytest.mark.parametrize("in_part", [False, True])
@pytest.mark.parametrize("as_share", [False, True])
def test_the_interval_holds_the_true_value_as_often_as_it_promises_and_is_narrower(as_share, in_part):
    truth = 0.2567 if as_share else 0.1764  # of 300,000 clusters
    rows = []
    for seed in range(500):
        sums = study(seed, 12, 72, in_part=in_part, as_share=as_share)
        result = assisted(sums, is_share=as_share).estimate
        own = sums[:, 0, 0]
        people = share(*own.T) if as_share else ratio(*own.T)
        if result.value is not None:
            rows.append((*ends(result), np.subtract(*ends(people)[::-1])))
    low, high, of_people = np.array(rows).T
    assert len(rows) > 490
    assert ((low <= truth) & (truth <= high)).mean() >= 0.94
    assert (high - low).mean() <= (0.96 if in_part else 0.92) * of_people.mean()


def by_hand(sums, signs, *, in_part):
    """Value and weight, written down anew from the definitions."""
    people, same, rest = (
        [figure[:, kind, 0].sum() / figure[:, kind, 1].sum() for figure in np.moveaxis(sums, 1, 0)] for kind in range(3)
    )
    residuals = np.zeros((len(sums), 4))
    for number, sign in enumerate(signs):
        of = sums[:, number]
        everywhere = of[:, 1] + of[:, 2]
        ratios = people[number], same[number], rest[number], everywhere[:, 0].sum() / everywhere[:, 1].sum()
        for kind, part in enumerate([of[:, 0], of[:, 1], of[:, 2], everywhere]):
            residuals[:, kind] += sign * (part[:, 0] - ratios[kind] * part[:, 1]) / part[:, 1].sum()
    if in_part:
        apart = residuals[:, 1] - residuals[:, 2]
        weight = residuals[:, 0] @ apart / (apart @ apart)
    else:
        judged, count = sums[:, :, 1, 1].any(axis=1), len(sums)
        model = residuals[:, 3] * count
        covariance = residuals[judged, 0] @ model[judged]
        weight = covariance / ((1 + judged.sum() / (~judged).sum()) * model.var(ddof=1))
    weight = min(max(weight, 0), 1)
    return sum(sign * (people[n] + weight * (rest[n] - same[n])) for n, sign in enumerate(signs)), weight


@pytest.mark.parametrize("in_part", [False, True])
@pytest.mark.parametrize("signs", [(1,), (1, -1)])
def test_value_weight_and_error_are_those_of_a_jackknife_by_hand(signs, in_part):
    sums = np.concatenate([study(seed, 14, 40, in_part=in_part) for seed in range(5, 5 + len(signs))], axis=1)
    value, weight = by_hand(sums, signs, in_part=in_part)
    result = assisted(sums, signs)
    assert (result.estimate.value, result.weight) == pytest.approx((value, weight), abs=1e-10)
    judged = sums[:, :, 1, 1].any(axis=1)
    without = [by_hand(np.delete(sums, at, axis=0), signs, in_part=in_part)[0] for at in np.flatnonzero(judged)]
    rest = sums[:, :, 2]
    residuals = (rest[..., 0] - rest[..., 0].sum(axis=0) / rest[..., 1].sum(axis=0) * rest[..., 1])[~judged]
    of_rest = weight * (residuals / rest[..., 1].sum(axis=0)) @ signs
    count = len(of_rest)
    variance = (len(without) - 1) * np.var(without) + count / max(count - 1, 1) * of_rest @ of_rest
    wholes = sums[:, :, 0, 1].sum(axis=1)
    odds = wholes / (wholes.sum() - wholes)
    freedom = odds.sum() ** 2 / ((odds**2).sum() + (odds**2).sum() ** 2 - (odds**4).sum())
    half = -stdtrit(freedom, 0.025) * np.sqrt(variance)
    assert ends(result.estimate)[1] - value == pytest.approx(half, rel=1e-9)


def test_far_from_zero_the_digits_are_the_same():
    sums = study(1, 14, 40)
    moved = sums.copy()
    moved[..., 0] += 1e9 * moved[..., 1]
    near, far = assisted(sums), assisted(moved)
    assert np.subtract(ends(far.estimate), 1e9) == pytest.approx(ends(near.estimate), abs=1e-5)
    assert (far.weight, far.saving) == pytest.approx((near.weight, near.saving), rel=1e-4)


def refused(change, **more):
    return assisted(change(study(1, 14, 40)), **more).estimate


def unlike(sums):
    sums[:14, 0, 1, 0] += 9 * sums[:14, 0, 1, 1]
    return sums


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda sums: np.delete(sums, range(5), axis=0), "people have judged 9 tasks, and at least 10 are needed"),
        (lambda sums: sums[:14], NO_REST),
        (unlike, UNLIKE),
    ],
)
def test_without_a_random_sample_of_ten_there_is_a_reason_instead(change, why):
    estimate = refused(change)
    assert (estimate.value, estimate.low) == (None, None)
    assert why in estimate.why
    assert refused(lambda sums: sums, within=(-9, -8)).why == BEYOND


def test_a_model_that_says_always_the_same_gains_nothing():
    sums = study(1, 14, 40)
    sums[:, :, 1:, 0] = 3 * sums[:, :, 1:, 1]
    result = assisted(sums)
    people = ratio(*sums[:, 0, 0].T)
    assert (result.weight, result.saving) == (0, 0)
    assert result.estimate[:3] == pytest.approx(people[:3])


def rows(judged=12, clusters=30):
    """Two units a document; the model is right about five in six."""
    lines = ["unit,cluster,human,model"]
    for unit in range(2 * clusters):
        human, document = int(unit % 7 < 3), unit // 2
        model = human if unit % 6 else 1 - human
        lines.append(f"u{unit},d{document},{human if document < judged else ''},{model}")
    return lines


def test_a_file_gives_both_figures_and_the_saving(run, tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("\n".join(rows()), "utf-8")
    answer = run("stats", "assisted", path, "--json")
    keys = ["value", "low", "high", "humans", "lambda", "clusters", "labelled", "saving", "why"]
    assert (answer.status, list(answer.json)) == (0, keys)
    figures = answer.json
    assert list(figures["humans"]) == ["value", "low", "high"]
    assert (figures["clusters"], figures["labelled"], figures["why"]) == (30, 12, "")
    assert figures["high"] - figures["low"] < figures["humans"]["high"] - figures["humans"]["low"]
    per_cent = round(figures["saving"] * 100)
    assert f"as if {per_cent} % more tasks had been judged" in run("stats", "assisted", path).out
    path.write_text("\n".join(rows(judged=9)), "utf-8")
    figures = run("stats", "assisted", path, "--json").json
    assert (figures["value"], figures["lambda"], figures["saving"]) == (None, None, None)
    assert figures["humans"]["value"] is not None
    assert "people have judged 9 tasks" in run("stats", "assisted", path).out
    path.write_text("\n".join(rows(judged=0)), "utf-8")
    assert "people            undefined: nobody judged" in run("stats", "assisted", path).out


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("u99,d1,1,", "line 62: no model (only human may be empty"),
        ("u99,,1,1", "line 62: no cluster"),
        ("u99,d1,yes,1", 'line 62: human is "yes", not a number'),
        ("u99,d1,,1_0", 'line 62: model is "1_0", not a number'),
        ("u99,d1,,nan", 'line 62: model is "nan", not a number'),
        ("u0,d1,1,1", 'line 62: the unit "u0" is on line 2 already'),
        ("u99,d1,1", "line 62: it has 3 cells instead of 4"),
    ],
)
def test_a_wrong_line_is_named_with_what_to_do(run, tmp_path, line, why):
    path = tmp_path / "both.csv"
    path.write_text("\n".join([*rows(), line]), "utf-8")
    answer = run("stats", "assisted", path)
    assert (answer.status, answer.out) == (2, "")
    assert "both.csv can't be read" in answer.err
    assert why in " ".join(answer.err.split())
    assert "Correct this line" in answer.err


def test_a_file_without_the_columns_or_units_is_refused(run, tmp_path):
    path = tmp_path / "both.csv"
    for text, why in (("unit,cluster,human\n", "no column is named model"), (rows()[0], "It has no units")):
        path.write_text(text, "utf-8")
        assert why in " ".join(run("stats", "assisted", path).err.split())


RUBRIC = """
id = "refusals"
version = 1
title = "Refusals"
[[questions]]
id = "risk"
per = "response"
ask = "How risky is it?"
kind = "scale"
min = 0
max = 7
levels = [{ id = "low", label = "Low", to = 3 }, { id = "high", label = "High", to = 7 }]
"""
PROMPTS = 60
TASKS = [(f"{system}-{number}", system, number) for number in range(PROMPTS) for system in ("Heron", "Kestrel")]


def risk_of(name: str, *, by_model: bool = False) -> int:
    """What people say about a task, with which the model mostly agrees."""
    chance = random.Random(name)
    level = chance.choice([0, 1, 2, 5, 6] if name.startswith("Heron") else [0, 3, 5, 6, 7])
    return level if not by_model or chance.random() < 0.95 else 7 - level


def rating_of(name: str, *, by_model: bool = False):
    return {"task": name, "answers": {"responses": {"a": {"risk": risk_of(name, by_model=by_model)}}}}


class Team:
    """The bundle, its parts for four raters, and the model's results."""

    def __init__(self, folder, run):
        self.folder, self.run = folder, run
        (folder / "refusals.toml").write_text(RUBRIC, "utf-8")
        tasks = [
            {"id": name, "prompt": {"text": f"Why {number}?"}, "responses": [{"id": "a", "text": "No."}],
             "meta": {"system": system}}
            for name, system, number in TASKS
        ]  # fmt: skip
        self.bundle = make(folder / "b.zip", tasks, rubric=str(folder / "refusals.toml"))
        (folder / "raters.txt").write_text("ana\nben\ncy\ndee\n", "utf-8")
        made = assign_tasks(
            self.bundle, folder / "raters.txt", folder / "parts", overlap=1, seed=3, progress=Progress()
        )
        self.parts = {rater: path for rater, path, _ in made.parts}

    def rates(self, rater, path, limit=None):
        """The results of a rater who rates the first tasks of a bundle."""
        with writer(self.folder / rater) as store:
            bundle = take_in(store, path).id
            ids = [json.loads(line)["id"] for line in self.lines(path)]
            lines = write_lines(self.folder / f"{rater}.jsonl", map(rating_of, ids[:limit]))
            rate_from_file(store, bundle, lines, rater, progress=Progress(), now=noon)
            out = self.folder / f"results-{rater}.zip"
            export_results(store, bundle, rater, out, progress=Progress(), partial=True)
        return out

    @staticmethod
    def lines(path):
        with zipfile.ZipFile(path) as file:
            return file.read("tasks.jsonl").splitlines()

    def model(self, count=None):
        answers = write_lines(
            self.folder / "model.jsonl", (rating_of(name, by_model=True) for name, *_ in TASKS[:count])
        )
        out = self.folder / "model.zip"
        self.run("audit", "judge", self.bundle, "--answers", answers, "--model", "m-1", "--out", out)
        return out


@pytest.fixture
def team(tmp_path, run):
    return Team(tmp_path, run)


def test_two_of_four_raters_and_a_model_say_together_which_system_is_riskier(team, run, tmp_path):
    results = [team.rates(rater, team.parts[rater]) for rater in ("ana", "ben")]
    assert run("audit", "open", team.bundle, *results, team.model()).status == 0
    tables, page = tmp_path / "tables", tmp_path / "systems.html"
    report = run("audit", "systems", "b", "--csv", tables, "--html", page, "--json").json
    (by_model,) = report["assisted"]
    assert (by_model["model"], by_model["why"]) == ("model-m-1", "")
    figures = {(row["metric"], row["one"], row["other"]): row for row in by_model["figures"]}
    heron = figures["defect:risk", "Heron", ""]
    assert heron["people"].items() <= report["groups"][0]["figures"]["defect:risk"]["figure"].items()
    assert heron["labelled"] == heron["people"]["tasks"] < heron["clusters"] == PROMPTS
    assert 0 < heron["lambda"] < 1
    truth = np.mean([risk_of(name) >= 4 for name, system, _ in TASKS if system == "Heron"])
    assert heron["figure"]["low"] < truth < heron["figure"]["high"]
    apart = figures["defect:risk", "Heron", "Kestrel"]
    (alone,) = (row["figure"] for row in report["differences"] if row["metric"] == "defect:risk")
    assert apart["people"].items() <= alone.items()
    assert apart["figure"]["high"] - apart["figure"]["low"] < alone["high"] - alone["low"]
    assert apart["saving"] > 0
    out = run("audit", "systems", "b").out
    saving = f"as if {round(apart['saving'] * 100)} % more tasks had been judged"
    (line,) = (line for line in out.splitlines() if "Heron - Kestrel with model-m-1" in line and "%;" not in line
               and "defect" not in line and saving in line)  # fmt: skip
    assert "prompts judged by people" in line
    text = page.read_text("utf-8")
    assert "By people and a model together" in text
    assert saving in text
    lines = (tables / "assisted.csv").read_text("utf-8-sig").splitlines()
    assert len(lines) == 1 + len(by_model["figures"])


def test_the_figures_are_refused_where_the_sample_is_not_random_or_the_model_did_not_rate_all(team, run):
    whys = {}

    def why(case, *results):
        team.run("audit", "open", team.bundle, *results)
        whys[case] = [row["why"] for row in run("audit", "systems", "b", "--json").json["assisted"]]

    ana = team.rates("ana", team.parts["ana"])
    why("no model", ana)
    why("part of the model", team.model(100))
    assert whys == {"no model": [], "part of the model": ["the model has rated 100 of 120 tasks: it has to rate all"]}
    run("audit", "open", team.model())
    assert run("audit", "systems", "b", "--json").json["assisted"][0]["figures"]
    why("stopped", team.rates("ben", team.parts["ben"], limit=20))
    assert whys["stopped"] == ["ben has finished 20 of 30 drawn tasks: those left over may be unlike the others"]
    out = run("audit", "systems", "b").out
    assert "With model-m-1: ben has finished 20 of 30" in out


def test_tasks_that_a_rater_chose_are_no_random_sample_and_all_tasks_need_no_model(team, run):
    run("audit", "open", team.bundle, team.model(), team.rates("eva", team.bundle, limit=40))
    (by_model,) = run("audit", "systems", "b", "--json").json["assisted"]
    assert by_model["why"] == "nothing records that the tasks of eva were drawn at random"
    run("audit", "open", *(team.rates(rater, part) for rater, part in team.parts.items()))
    assert run("audit", "systems", "b", "--json").json["assisted"] == []


def test_a_sample_of_the_lead_counts_if_it_is_of_all_places_even_and_decided():
    places = [(f"t{number}", "targets/s1") for number in range(40)]
    digest = Digest(status="complete", values={"targets/s1": {"accuracy": "accurate"}})
    ratings = {
        (task, "m"): ReceivedRating(
            results="", task=task, rater="m", text="", sha256="", revision=1, summary=digest
        )
        for task, _ in places
    }  # fmt: skip
    audit = Audit(
        bundle="b", title="B", rubric=builtin_rubric("span-factuality"), tasks=tuple(task for task, _ in places),
        raters=("m",), models=frozenset({"m"}), ratings=ratings,
    )  # fmt: skip
    labels = {(task, where, "label"): Final("accurate") for task, where in places[:20]}
    sample = ReviewSample(how="share", places=tuple(places[:20]), of=40)
    uneven = (SampleStratum("differ", 10, 10), SampleStratum("agree", 30, 10))
    given = {
        "": sample,
        "the sample is drawn from 20 of 40 places": ReviewSample(how="share", places=tuple(places[:20]), of=20),
        "the sample has a larger share of some kinds": ReviewSample(
            how="stratified", places=tuple(places[:20]), of=40, strata=uneven
        ),
        "1 of 21 drawn places have no final label yet": ReviewSample(how="share", places=tuple(places[:21]), of=40),
    }
    for why, drawn in given.items():
        result = drawn_places(audit, {}, Reviews(sample=drawn), labels)
        assert result.why.startswith(why)
        assert bool(result.why) == bool(why)
    chosen = drawn_places(audit, {}, Reviews(sample=sample), labels)
    assert chosen.has((*places[0], "label"))
    assert not chosen.has((*places[30], "label"))


def test_a_lead_judges_a_random_sample_of_what_a_model_rated_and_a_rater_only_in_part(team, run, tmp_path):
    run("audit", "open", team.bundle, team.model(), team.rates("eva", team.bundle, limit=20))
    drawn = run("audit", "sample", "b", "--how", "share", "--share", "0.4", "--lead", "Ana", "--json").json
    report = run("audit", "systems", "b", "--json").json
    assert "drawn places have no final label yet" in report["assisted"][0]["why"]
    places = [(item["task"], item["where"]) for item in drawn["places"]]
    decisions = [
        {"task": task, "where": where, "question": "risk", "value": risk_of(task)} for task, where in places
    ]  # fmt: skip
    judged = write_lines(tmp_path / "judged.jsonl", decisions)
    assert run("audit", "verdicts", "b", "--from", judged, "--lead", "Ana").status == 0
    (by_model,) = run("audit", "systems", "b", "--json").json["assisted"]
    assert by_model["why"] == ""
    heron = next(row for row in by_model["figures"] if (row["metric"], row["one"]) == ("mean:risk", "Heron"))
    own = [risk_of(task) for task, _ in places if task.startswith("Heron")]
    assert (heron["people"]["value"], heron["labelled"]) == (pytest.approx(np.mean(own)), len(own))
    assert heron["lambda"] > 0
