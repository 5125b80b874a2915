"""Waves: V24 that stand, V26 in a tank that is shaken, V27 of heavy liquid on light one."""
import math

import numpy
from casebook import Case, Figure, box, within

GRAVITY = 9.81
SOLVERS = ("pbf", "flip", "apic")


def mode(frame, k, area, phase=None):
    """Amplitude of cos(k x) in the height of what stands on `area`."""
    x, d = frame["P"][:, 0].astype(float), 2 * frame["pscale"].astype(float)
    if phase is not None:
        x, d = x[frame["phase"] == phase], d[frame["phase"] == phase]
    return 2 * float(numpy.sum(numpy.cos(k * x) * d ** 3)) / area


def modes(run, k, area, phase=None):
    times, values = [], []
    for time, frame in run.frames():
        times.append(time)
        values.append(mode(frame, k, area, phase))
    return numpy.array(times), numpy.array(values)


def swing(times, values):
    """Period and what is kept of the amplitude in one, by where the mode is zero and its peaks between."""
    crossings, peaks, peak = [], [], 0
    for n in range(1, len(values)):
        peak = max(peak, abs(values[n - 1]))
        if values[n] * values[n - 1] < 0:
            share = values[n - 1] / (values[n - 1] - values[n])
            crossings.append(times[n - 1] + share * (times[n] - times[n - 1]))
            peaks.append(peak)
            peak = 0
    if len(crossings) < 4:
        raise ValueError("it does not swing")
    half_periods = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    return 2 * half_periods, (peaks[-1] / peaks[1]) ** (2 / (len(peaks) - 2))


def standing(d, raised, solver, options=(), quick=True, amplitude=0.03, setting=""):
    length, depth, width = 1.2, 0.4 + raised * d, 8 * d
    k = math.pi / length
    right = 2 * math.pi / math.sqrt(GRAVITY * k * math.tanh(k * depth))
    frames = int(2.8 * right * 48)
    scene = f"""fps = 48
frames = [1, {frames}]
[domain]
box = {box((0, 0, 0), (length, 0.8, width))}
[[liquid]]
spacing = {d}
fill = {{ level = "{depth:.6g} + {amplitude} * cos({k:.9g} * x)" }}"""

    def measure(run):
        period, kept = swing(*modes(run, k, length * width))
        most = 1.0 if solver != "pbf" else 1.02
        return [within("period / theory", period / right, 1, 0.03, 0.01),
                Figure("kept per period", kept, (0.85, most), (0.95, most))]

    name = setting or f"spacing {d}, raised {raised}, {amplitude / d:.2g} spacings high"
    return Case("V24", name, solver, scene, measure, quick=quick, options=options)


def shaken(d, solver, quick=True):
    length, depth, width, a, omega = 1.0, 0.3, 8 * d, 0.005, 4.764
    keys = ", ".join(f"[{n + 1}, [{a * omega * omega * math.sin(omega * n / 48):.6g}, 0, 0]]" for n in range(289))
    scene = f"""fps = 48
frames = [1, 280]
[domain]
box = {box((0, 0, 0), (length, 0.6, width))}
[[liquid]]
spacing = {d}
fill = {{ box = {box((0, 0, 0), (length, depth, width))} }}
[[force]]
type = "constant"
acceleration = {{ keys = [{keys}], interpolation = "linear" }}"""

    def measure(run):
        times, values = modes(run, math.pi / length, length * width)
        values = values - values[0]
        peaks = [n for n in range(1, len(values) - 1)
                 if abs(values[n]) >= max(abs(values[n - 1]), abs(values[n + 1])) and abs(values[n]) > 0.004]
        peaks = [n for n in peaks if abs(values[n]) < 0.06]
        growth = numpy.polyfit(times[peaks], numpy.abs(values[peaks]), 1)[0]
        return [within("growth / theory", growth / 0.01117, 1, 0.2, 0.08)]

    return Case("V26", f"spacing {d}", solver, scene, measure, quick=quick)


def overturning(per_wave, quick=True):
    length, height, d = 0.4, 0.4, 0.4 / per_wave
    width, k, start = 8 * d, 2 * math.pi / 0.4, 1.5 * d
    scene = f"""fps = 96
frames = [1, 64]
[domain]
box = {box((0, 0, 0), (length, 2 * height, width))}
[[liquid]]
name = "heavy"
density = 1000
spacing = {d:.9g}
fill = {{ box = {box((0, 0, 0), (length, 2 * height, width))} }}
[[liquid]]
name = "light"
density = 200
spacing = {d:.9g}
fill = {{ level = "{height} + {start:.6g} * cos({k:.9g} * x)" }}"""

    def measure(run):
        times, values = modes(run, k, length * width, 1)
        rate = 10.14
        # a = a0 cosh(s t): from the ratio to the start, while the wave is linear, k a < 0.4; later bubbles and spikes
        # take over and the first mode stands still.
        linear = next((n for n in range(len(values)) if k * abs(values[n]) > 0.4), len(values))
        grown = [n for n in range(linear) if abs(values[n]) > 2 * d]
        rates = [math.acosh(abs(values[n] / values[0])) / times[n] for n in grown if abs(values[n]) > abs(values[0])]
        if not rates:
            raise ValueError("the wave does not grow")
        return [within("growth / theory", float(numpy.mean(rates)) / rate, 1, 0.2, 0.08 if per_wave < 100 else 0.04)]

    return Case("V27", f"{per_wave} spacings per wave", "pbf", scene, measure, quick=quick)


def cases():
    made = []
    for solver in SOLVERS:
        made += [standing(0.015, raised, solver, quick=raised in (0, 1)) for raised in (0, 1, 2, 3)]
        made += [standing(0.015, 0.37, solver, amplitude=0.015, quick=False), standing(0.0075, 0, solver, quick=False)]
        made += [shaken(0.02, solver), shaken(0.01, solver, quick=False)]
    made.append(standing(0.015, 0, "pbf", options=("--iterations", "8"), quick=False,
                         setting="spacing 0.015, 8 iterations"))
    return made + [overturning(60), overturning(120, quick=False)]
