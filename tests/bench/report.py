"""How the measurements in this folder are printed: a line each."""


def report(what, figure, target, baseline=""):
    print(f"{what:<58}{figure:>18}   {target:<12}{baseline}", flush=True)
