"""Certificates for what listens and whoever calls there, made by openssl for one run."""
import subprocess


def openssl(folder, *words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, cwd=folder)


def make_certificate(folder, name, subject, authority=None):
    """NAME.pem and NAME.key of this machine, good for two days, signed by an authority of the folder or by itself."""
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.pem",
            "-addext", "subjectAltName=IP:127.0.0.1", *(("-CA", f"{authority}.pem", "-CAkey", f"{authority}.key") if authority else ()))
