extension Program {
  /// The script that teaches a shell to complete this program's command lines: see ``Completion``.
  ///
  /// It knows the program's name and nothing else, so it is never out of date. Candidates are compared and never
  /// expanded: a title may hold `$(…)`.
  public func completionScript(for shell: Shell) -> String {
    // A dash in the program's name becomes `_`.
    let function = "_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return switch shell {
    case .bash: bash(function)
    case .zsh: zsh(function)
    case .fish: fish(function)
    }
  }

  private func bash(_ function: String) -> String {
    #"""
    # Completion of \#(name) for bash. Load it with: source <(\#(name) completion bash)

    # What a word says without its quotes and backslashes; bash keeps $lead of it, and is inside $quote at its end.
    \#(function)_say() {
      local raw=$1 letter before=
      said= lead= quote=
      while [[ -n $raw ]]; do
        letter=${raw:0:1} raw=${raw:1}
        if [[ $letter == \\ && $quote != "'" ]]; then
          said+=${raw:0:1} raw=${raw:1}
        elif [[ -n $quote && $letter == "$quote" ]]; then
          quote= lead=$before
        elif [[ -z $quote && $letter == [\"\'] ]]; then
          quote=$letter before=$lead lead=$said
        else
          said+=$letter
          [[ -z $quote && -n $breaks && $letter == [$breaks] ]] && lead=$said
        fi
      done
    }

    \#(function)() {
      local word line said lead quote breaks=${COMP_WORDBREAKS//[^=:]/}
      local -a raw=() words=()
      local -i i
      COMPREPLY=()
      # put together what bash took apart at = and :
      for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#raw[@]})) && [[ $word == [=:]* || ${raw[-1]} == *[=:] ]]; then
          raw[-1]+=$word
        else
          raw+=("$word")
        fi
      done
      ((${#raw[@]})) || return 0
      for word in "${raw[@]}"; do
        \#(function)_say "$word"
        words+=("$said")
      done
      while IFS= read -r line; do
        word=${line%%$'\t'*}
        if [[ $line == $'\tfiles' ]]; then
          compopt -o filenames 2>/dev/null
          [[ $said == --*=* ]] && word=${said#*=} || word=$said
          while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$word")
        # genre:ja is the beginning of genre:Jazz
        elif [[ ${word,,} == "${said,,}"* && $word != "$lead" ]]; then
          word=${word#"$lead"}
          case $quote in
          \') word=${word//\'/\'\\\'\'} ;;
          \") word=${word//\\/\\\\} word=${word//\"/\\\"} word=${word//\$/\\\$} word=${word//\`/\\\`} ;;
          *) printf -v word %q "$word" ;;
          esac
          COMPREPLY+=("$word")
        fi
      done < <("$1" completion --candidates -- "${words[@]}" 2>/dev/null)
    }

    complete -F \#(function) \#(name)

    """#
  }

  /// To be sourced, or to lie in a folder of `fpath`.
  private func zsh(_ function: String) -> String {
    """
    #compdef \(name)
    # Completion of \(name) for zsh. Load it after compinit with: source <(\(name) completion zsh)

    \(function)() {
      local line takes_files=
      local -a before=("${(@Q)words[1,CURRENT-1]}") candidates=()
      for line in "${(@f)$("$before[1]" completion --candidates -- "${(@)before[2,-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        case $line in
        '') ;;
        $'\\tfiles') takes_files=1 ;;
        *$'\\t'*) candidates+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}") ;;
        *) candidates+=("${line//:/\\\\:}") ;;
        esac
      done
      # genre:ja is the beginning of genre:Jazz
      (($#candidates)) && _describe 'candidate' candidates -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
      if [[ -n $takes_files ]]; then
        [[ $PREFIX == --*=* ]] && compset -P 1 '*='
        _files
      fi
      return 0
    }

    if [[ $funcstack[1] == \(function) ]]; then
      \(function) "$@"
    else
      compdef \(function) \(name)
    fi

    """
  }

  private func fish(_ function: String) -> String {
    """
    # Completion of \(name) for fish. Load it with: \(name) completion fish | source

    function _\(function)
        set -l before (commandline -opc)
        set -l current (commandline -ct)
        for line in ($before[1] completion --candidates -- $before[2..-1] "$current" 2>/dev/null)
            if test "$line" = \\tfiles
                set -l lead (string match -r -- '^--[^=]*=' "$current")
                for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
                    printf '%s%s\\n' "$lead" $path
                end
            else
                printf '%s\\n' $line
            end
        end
    end

    complete -c \(name) -f -a '(_\(function))'

    """
  }
}
