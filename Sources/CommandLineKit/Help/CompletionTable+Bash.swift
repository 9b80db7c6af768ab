extension CompletionTable {
  /// The script for bash. Candidates are compared and never expanded: a title may hold `$(…)`.
  func bash() -> String {
    var script = """
      # Completion of \(name) for bash. Load it with: source <(\(name) completion bash)

      \(tablesForBashAndZsh())
      \(function("_node"))() {
        case $1 in

      """
    for node in nodes {
      script += """
          \(Self.quoted(node.path)))
            commands=(\(node.children.map { Self.quoted($0.name) }.joined(separator: " ")))
            options=(\(node.options.map { Self.quoted($0.name) }.joined(separator: " "))) ;;

        """
    }
    return script + """
        esac
      }

      \(function("_offer"))() {
        local candidate
        case ${action#optional } in
        files)
          compopt -o filenames 2>/dev/null
          while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$current") ;;
        'values '*)
          local -a choices
          read -ra choices <<<"${action#*values }"
          \(function("_choose")) "${choices[@]}" ;;
        'dynamic '*)
          while IFS=$'\\t' read -r candidate _; do
            \(function("_choose")) "$candidate"
          done < <("$program" completion --candidates "${action#*dynamic }" -- "$current" 2>/dev/null) ;;
        esac
      }

      \(function("_choose"))() {
        local candidate
        for candidate; do
          if [[ -n $candidate && $candidate == "$current"* ]]; then
            # bash replaces only what stands behind its last word break
            [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && candidate=${candidate#"${current%:*}:"}
            printf -v candidate %q "$candidate"
            COMPREPLY+=("$candidate")
          fi
        done
      }

      \(function())() {
        local program=$1 node=\(Self.quoted(name)) current= wants= literal= action= word
        local -i place=1 i
        local -a before=() commands=() options=()
        COMPREPLY=()
        # put together what bash took apart at = and :
        for ((i = 1; i <= COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if ((${#before[@]})) && [[ $word == [=:]* || ${before[-1]} == *[=:] ]]; then
            before[-1]+=$word
          else
            before+=("$word")
          fi
        done
        ((${#before[@]})) || return 0
        current=${before[-1]}
        unset 'before[-1]'
        for word in "${before[@]}"; do
          if [[ -n $wants ]]; then
            wants=
          elif [[ -n $literal ]]; then
            place+=1
          else
            case $word in
            --) literal=1 ;;
            --*=*) ;;
            -*)
              action=
              if \(function("_value")) "$node" "$word" && [[ $action != optional* ]]; then wants=$word; fi ;;
            *) \(function("_child")) "$node" "$word" || place+=1 ;;
            esac
          fi
        done
        if [[ -n $wants ]]; then
          \(function("_value")) "$node" "$wants" && \(function("_offer"))
        elif [[ $current == --*=* && -z $literal ]]; then
          word=${current%%=*}
          current=${current#*=}
          \(function("_value")) "$node" "$word" && \(function("_offer"))
        elif [[ $current == -* && -z $literal ]]; then
          \(function("_node")) "$node"
          \(function("_choose")) "${options[@]}"
        else
          \(function("_node")) "$node"
          ((place == 1)) && \(function("_choose")) "${commands[@]}"
          \(function("_value")) "$node" "@$place" && \(function("_offer"))
        fi
        return 0
      }

      complete -F \(function()) \(name)

      """
  }
}
