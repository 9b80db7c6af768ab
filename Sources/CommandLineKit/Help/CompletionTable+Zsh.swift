extension CompletionTable {
  /// The script for zsh, to be sourced or to lie in a folder of `fpath`.
  func zsh() -> String {
    func described(_ entries: [(name: String, help: String)]) -> String {
      entries.map { Self.quoted("\($0.name):\($0.help)") }.joined(separator: " ")
    }
    var script = """
      #compdef \(name)
      # Completion of \(name) for zsh. Load it after compinit with: source <(\(name) completion zsh)

      \(tablesForBashAndZsh())
      \(function("_node"))() {
        case $1 in

      """
    for node in nodes {
      script += """
          \(Self.quoted(node.path)))
            commands=(\(described(node.children)))
            options=(\(described(node.options))) ;;

        """
    }
    return script + """
        esac
      }

      \(function("_offer"))() {
        local line
        local -a candidates=()
        case ${action#optional } in
        files) _files ;;
        'values '*) compadd -- ${=action#*values } ;;
        'dynamic '*)
          for line in "${(@f)$("$program" completion --candidates "${action#*dynamic }" -- "${(Q)PREFIX}" 2>/dev/null)}"; do
            [[ -n $line ]] || continue
            if [[ $line == *$'\\t'* ]]; then
              candidates+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
            else
              candidates+=("${line//:/\\\\:}")
            fi
          done
          (($#candidates)) && _describe 'candidate' candidates ;;
        esac
      }

      \(function())() {
        local program=${(Q)words[1]} node=\(Self.quoted(name)) wants= literal= action= word
        local -i place=1 i
        local -a commands=() options=()
        for ((i = 2; i < CURRENT; i++)); do
          word=${(Q)words[i]}
          if [[ -n $wants ]]; then
            wants=
          elif [[ -n $literal ]]; then
            ((place += 1))
          else
            case $word in
            --) literal=1 ;;
            --*=*) ;;
            -*)
              action=
              if \(function("_value")) "$node" "$word" && [[ $action != optional* ]]; then wants=$word; fi ;;
            *) \(function("_child")) "$node" "$word" || ((place += 1)) ;;
            esac
          fi
        done
        word=${(Q)words[CURRENT]}
        if [[ -n $wants ]]; then
          \(function("_value")) "$node" "$wants" && \(function("_offer"))
        elif [[ $word == --*=* && -z $literal ]]; then
          compset -P 1 '*='
          \(function("_value")) "$node" "${word%%=*}" && \(function("_offer"))
        elif [[ $word == -* && -z $literal ]]; then
          \(function("_node")) "$node"
          _describe -o 'option' options
        else
          \(function("_node")) "$node"
          ((place == 1 && $#commands)) && _describe 'command' commands
          \(function("_value")) "$node" "@$place" && \(function("_offer"))
        fi
        return 0
      }

      if [[ $funcstack[1] == \(function()) ]]; then
        \(function()) "$@"
      else
        compdef \(function()) \(name)
      fi

      """
  }
}
