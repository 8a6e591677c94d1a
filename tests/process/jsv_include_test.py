#!/usr/bin/env python3
"""What a JSV in sh says with share/jsv/jsv_include.sh, in each shell that is here: the examples of jsv_script_interface(3), and values that
a shell could take for commands (C3.52, O7.41)."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

include = pathlib.Path(__file__).resolve().parents[2] / "share/jsv/jsv_include.sh"

script = """. "$1"
jsv_on_start() { jsv_send_env; }
jsv_on_verify() {
  for name in mem mem3 a; do
    jsv_log_info "$name $(jsv_sub_is_param l_hard $name) [$(jsv_sub_get_param l_hard $name)]"
  done
  jsv_log_info "$(jsv_is_param l_hard) $(jsv_get_param l_hard) $(jsv_is_param P) [$(jsv_get_param P)]"
  jsv_log_info "$(jsv_get_param N) $(jsv_is_env E) $(jsv_get_env E)"
  jsv_sub_add_param l_hard h_rt 60
  jsv_sub_del_param l_hard mem
  jsv_set_param P x
  jsv_del_param a
  jsv_add_env B 'x $(y)'
  jsv_mod_env B ''
  jsv_del_env E
  if [ "$(jsv_is_param q_hard)" = true ]; then jsv_reject "not * there"; else jsv_correct; fi
}
jsv_main
"""

said = """START
PARAM l_hard mem=1G,mem2=200M,a=lx-amd64
PARAM N $(touch TRAP) `touch TRAP` * ;touch TRAP
ENV ADD E $(touch TRAP)\\n
ENV ADD BASH_FUNC_x%% () { touch TRAP; }
BEGIN
START
PARAM q_hard all.q
BEGIN
BEGIN
HELLO
QUIT
START
"""

expected = """SEND ENV
STARTED
LOG INFO mem true [1G]
LOG INFO mem3 false []
LOG INFO a true [lx-amd64]
LOG INFO true mem=1G,mem2=200M,a=lx-amd64 false []
LOG INFO $(touch TRAP) `touch TRAP` * ;touch TRAP true $(touch TRAP)\\n
PARAM l_hard mem=1G,mem2=200M,a=lx-amd64,h_rt=60
PARAM l_hard mem2=200M,a=lx-amd64,h_rt=60
PARAM P x
PARAM a
ENV ADD B x $(y)
ENV MOD B 
ENV DEL E
RESULT STATE CORRECT 
SEND ENV
STARTED
LOG INFO mem false []
LOG INFO mem3 false []
LOG INFO a false []
LOG INFO false  false []
LOG INFO  false 
PARAM l_hard h_rt=60
PARAM P x
PARAM a
ENV ADD B x $(y)
ENV MOD B 
ENV DEL E
RESULT STATE REJECT not * there
ERROR BEGIN came before START
ERROR the JSV does not know what to do with "HELLO"
"""

shells = [shell for shell in ("dash", "bash", "ksh", "sh") if shutil.which(shell)]
for shell in shells:
    with tempfile.TemporaryDirectory() as folder:
        jsv = pathlib.Path(folder) / "jsv"
        jsv.write_text(script)
        ran = subprocess.run([shell, str(jsv), str(include)], input=said, capture_output=True, text=True, cwd=folder, timeout=20)
        if ran.stdout != expected or ran.stderr or ran.returncode or (pathlib.Path(folder) / "TRAP").exists():
            sys.exit(f"{shell}: exit {ran.returncode}\n{ran.stdout}{ran.stderr}expected:\n{expected}")
print("alike in " + ", ".join(shells))
