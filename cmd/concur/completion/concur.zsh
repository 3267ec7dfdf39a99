#compdef concur
# Completion of concur for zsh: save it as _concur in a folder of $fpath, or source it.
_concur() {
  local -a asked options
  asked=("${(@)words[1,CURRENT-1]}")
  # Behind a bare -- nothing would be completed.
  [[ "${words[CURRENT]}" == -- ]] && asked+=(-) || { [[ "${words[CURRENT]}" == -* ]] && asked+=("${words[CURRENT]}"); }
  options=("${(@f)$("${asked[@]}" --generate-bash-completion 2>/dev/null)}")
  if [[ -n "${options[1]}" ]]; then
    _describe 'concur' options
  else
    _files
  fi
}
compdef _concur concur
