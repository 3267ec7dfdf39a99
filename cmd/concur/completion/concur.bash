# Completion of concur for bash: source it, or put it into a folder of bash-completion.
_concur() {
  local cur="${COMP_WORDS[COMP_CWORD]}" asked=("${COMP_WORDS[@]:0:COMP_CWORD}")
  # Bash divides --format=j into three words.
  [[ "$cur" == = ]] && cur=
  [[ "${asked[${#asked[@]}-1]}" == = ]] && asked=("${asked[@]:0:${#asked[@]}-1}")
  # Behind a bare -- nothing would be completed.
  [[ "$cur" == -- ]] && asked+=(-) || { [[ "$cur" == -* ]] && asked+=("$cur"); }
  mapfile -t COMPREPLY < <(compgen -W "$("${asked[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur")
}
complete -o bashdefault -o default -F _concur concur
