# What a job submission verifier (JSV) that is written for sh begins with:
#
#     . "$SGE_ROOT/util/resources/jsv/jsv_include.sh"
#     jsv_on_start() { :; }
#     jsv_on_verify() { jsv_accept; }
#     jsv_main
#
# It has the functions that jsv_script_interface(3) of Grid Engine names, for any POSIX shell, and starts
# no other program. A parameter p of the job is the variable jsv_param_p, a variable v of its environment
# jsv_env_v. Values are never read as commands. In a value a line break is written \n, a return \r, a tab
# \t, and a backslash \\, as it comes and as it is sent.

jsv_logging_enabled=${jsv_logging_enabled:-false}
_jsv_state=waiting     # then started, then verifying
_jsv_params=           # names that are known, each between blanks
_jsv_envs=

_jsv_trace() {
  if [ "$jsv_logging_enabled" = true ]; then printf '%s\n' "$*" >> "/tmp/jsv_$$.log"; fi
}

_jsv_send() {
  printf '%s\n' "$*"
  _jsv_trace "<<< $*"
}

# Whether $1 can be part of a variable's name.
_jsv_is_name() {
  case $1 in
  '' | *[!A-Za-z0-9_]*) return 1 ;;
  esac
}

# Adds the name $2 to the list in the variable $1, once.
_jsv_note() {
  eval "_jsv_list=\$$1"
  case " $_jsv_list " in
  *" $2 "*) ;;
  *) eval "$1=\"\$_jsv_list \$2\"" ;;
  esac
}

# Forgets jsv_$1_NAME of all names in the variable $2.
_jsv_forget() {
  eval "_jsv_list=\$$2"
  for _jsv_name in $_jsv_list; do unset "jsv_$1_$_jsv_name"; done
  eval "$2="
}

_jsv_show() {
  eval "_jsv_list=\$$2"
  for _jsv_name in $_jsv_list; do
    eval "_jsv_value=\${jsv_$1_$_jsv_name-}"
    if [ "$(_jsv_is "$1" "$_jsv_name")" = true ]; then
      _jsv_send "LOG INFO got $1 $_jsv_name=$_jsv_value"
    fi
  done
}

_jsv_is() {
  if _jsv_is_name "$2" && eval "[ -n \"\${jsv_$1_$2+x}\" ]"; then echo true; else echo false; fi
}

_jsv_get() {
  if _jsv_is_name "$2"; then eval "printf '%s\\n' \"\${jsv_$1_$2-}\""; else echo; fi
}

_jsv_keep() {
  _jsv_is_name "$2" || return 0
  _jsv_value=$3
  eval "jsv_$1_$2=\$_jsv_value"
  if [ "$1" = env ]; then _jsv_note _jsv_envs "$2"; else _jsv_note _jsv_params "$2"; fi
}

# ---- parameters ---------------------------------------------------------------------------------

jsv_clear_params() { _jsv_forget param _jsv_params; }
jsv_show_params() { _jsv_show param _jsv_params; }
jsv_is_param() { _jsv_is param "$1"; }
jsv_get_param() { _jsv_get param "$1"; }

jsv_set_param() {
  if [ -z "$2" ]; then
    jsv_del_param "$1"
  else
    _jsv_keep param "$1" "$2"
    _jsv_send "PARAM $1 $2"
  fi
}

jsv_del_param() {
  if _jsv_is_name "$1"; then unset "jsv_param_$1"; fi
  _jsv_send "PARAM $1"
}

# ---- parameters that are lists ------------------------------------------------------------------

# Goes through the list $1 for the entry $2. _jsv_found says whether it is there, _jsv_entry its value,
# _jsv_others the list without it.
_jsv_look() {
  _jsv_found=false _jsv_entry= _jsv_others=
  _jsv_is_name "$1" || return 0
  eval "_jsv_rest=\${jsv_param_$1-}"
  while [ -n "$_jsv_rest" ]; do
    _jsv_one=${_jsv_rest%%,*}
    case $_jsv_rest in
    *,*) _jsv_rest=${_jsv_rest#*,} ;;
    *) _jsv_rest= ;;
    esac
    if [ "${_jsv_one%%=*}" = "$2" ]; then
      _jsv_found=true
      case $_jsv_one in
      *=*) _jsv_entry=${_jsv_one#*=} ;;
      *) _jsv_entry= ;;
      esac
    elif [ -n "$_jsv_one" ]; then
      _jsv_others=${_jsv_others:+$_jsv_others,}$_jsv_one
    fi
  done
}

jsv_sub_is_param() {
  _jsv_look "$1" "$2"
  echo "$_jsv_found"
}

jsv_sub_get_param() {
  _jsv_look "$1" "$2"
  printf '%s\n' "$_jsv_entry"
}

jsv_sub_add_param() {
  _jsv_look "$1" "$2"
  jsv_set_param "$1" "${_jsv_others:+$_jsv_others,}$2${3:+=$3}"
}

jsv_sub_del_param() {
  _jsv_look "$1" "$2"
  if [ "$_jsv_found" = true ]; then jsv_set_param "$1" "$_jsv_others"; fi
}

# ---- the environment of the job -----------------------------------------------------------------

jsv_clear_envs() { _jsv_forget env _jsv_envs; }
jsv_show_envs() { _jsv_show env _jsv_envs; }
jsv_is_env() { _jsv_is env "$1"; }
jsv_get_env() { _jsv_get env "$1"; }

jsv_add_env() {
  _jsv_keep env "$1" "${2-}"
  _jsv_send "ENV ADD $1 ${2-}"
}

jsv_mod_env() {
  _jsv_keep env "$1" "${2-}"
  _jsv_send "ENV MOD $1 ${2-}"
}

jsv_del_env() {
  if _jsv_is_name "$1"; then unset "jsv_env_$1"; fi
  _jsv_send "ENV DEL $1"
}

# Only in jsv_on_start: the environment comes with the job.
jsv_send_env() { _jsv_send "SEND ENV"; }

# ---- what becomes of the job, and what is logged ------------------------------------------------

_jsv_result() {
  if [ "$_jsv_state" = verifying ]; then
    _jsv_state=waiting
    _jsv_send "RESULT STATE $*"
  else
    _jsv_send "ERROR the JSV gives a result, and no job is being verified"
  fi
}

jsv_accept() { _jsv_result ACCEPT "$*"; }
jsv_correct() { _jsv_result CORRECT "$*"; }
jsv_reject() { _jsv_result REJECT "$*"; }
jsv_reject_wait() { _jsv_result REJECT_WAIT "$*"; }

jsv_log_info() { _jsv_send "LOG INFO $*"; }
jsv_log_warning() { _jsv_send "LOG WARNING $*"; }
jsv_log_error() { _jsv_send "LOG ERROR $*"; }

# ---- the talk -----------------------------------------------------------------------------------

_jsv_start() {
  jsv_clear_params
  jsv_clear_envs
  jsv_on_start
  _jsv_state=started
  _jsv_send STARTED
}

_jsv_verify() {
  if [ "$_jsv_state" != started ]; then
    _jsv_send "ERROR BEGIN came before START"
    return 0
  fi
  _jsv_state=verifying
  jsv_on_verify
  if [ "$_jsv_state" = verifying ]; then _jsv_send "ERROR jsv_on_verify gave no result"; fi
  _jsv_state=waiting
}

# $2 is what stands behind PARAM, or behind ENV ADD: a name and its value.
_jsv_take() {
  case $2 in
  *' '*) _jsv_keep "$1" "${2%% *}" "${2#* }" ;;
  *) _jsv_keep "$1" "$2" "" ;;
  esac
}

# Returns after QUIT, or when nobody writes any more.
jsv_main() {
  while IFS= read -r _jsv_line; do
    _jsv_trace ">>> $_jsv_line"
    case $_jsv_line in
    '') ;;
    QUIT) return 0 ;;
    START) _jsv_start ;;
    BEGIN) _jsv_verify ;;
    'PARAM '*) _jsv_take param "${_jsv_line#PARAM }" ;;
    'ENV ADD '*) _jsv_take env "${_jsv_line#ENV ADD }" ;;
    SHOW)
      jsv_show_params
      jsv_show_envs
      ;;
    *) _jsv_send "ERROR the JSV does not know what to do with \"${_jsv_line%% *}\"" ;;
    esac
  done
}
