extension CompletionTable {
  /// The script for fish.
  func fish() -> String {
    func cases(_ keys: [String]) -> String { keys.map(Self.fishQuoted).joined(separator: " ") }
    func lines(_ entries: [(name: String, help: String)]) -> String {
      entries.map { Self.fishQuoted($0.name) + " " + Self.fishQuoted($0.help) }.joined(separator: " ")
    }
    var script = """
      # Completion of \(name) for fish. Load it with: \(name) completion fish | source

      function _\(function("_child"))
          switch "$argv[1] $argv[2]"

      """
    for node in nodes where !node.spellings.isEmpty {
      script += "        case \(cases(node.spellings))\n            echo \(Self.fishQuoted(node.path))\n"
    }
    script += """
              case '*'
                  return 1
          end
      end

      function _\(function("_value"))
          switch "$argv[1] $argv[2]"

      """
    for node in nodes {
      for (keys, action) in node.values {
        let patterns = cases(keys.map { "\(node.path) \($0)" })
        script += "        case \(patterns)\n            echo \(Self.fishQuoted(action))\n"
      }
    }
    for (keys, action) in globalValues {
      script += "        case \(cases(keys.map { "* \($0)" }))\n            echo \(Self.fishQuoted(action))\n"
    }
    script += """
              case '*'
                  return 1
          end
      end

      function _\(function("_commands"))
          switch $argv[1]

      """
    for node in nodes where !node.children.isEmpty {
      script += "        case \(Self.fishQuoted(node.path))\n"
      script += "            printf '%s\\t%s\\n' \(lines(node.children))\n"
    }
    script += """
          end
      end

      function _\(function("_options"))
          switch $argv[1]

      """
    for node in nodes {
      script += "        case \(Self.fishQuoted(node.path))\n"
      script += "            printf '%s\\t%s\\n' \(lines(node.options))\n"
    }
    return script + """
          end
      end

      function _\(function("_offer")) --argument-names action before current
          set action (string replace -r '^optional ' '' -- $action)
          switch $action
              case files
                  for candidate in (__fish_complete_path $current)
                      printf '%s%s\\n' $before $candidate
                  end
              case 'values *'
                  for candidate in (string split ' ' -- (string replace 'values ' '' -- $action))
                      printf '%s%s\\n' $before $candidate
                  end
              case 'dynamic *'
                  set -l program (commandline -opc)[1]
                  for candidate in ($program completion --candidates (string replace 'dynamic ' '' -- $action) -- $current 2>/dev/null)
                      printf '%s%s\\n' $before $candidate
                  end
          end
      end

      function _\(function())
          set -l node \(Self.fishQuoted(name))
          set -l wants ''
          set -l literal ''
          set -l place 1
          set -l before (commandline -opc)
          set -l current (commandline -ct)
          for word in $before[2..-1]
              if test -n "$wants"
                  set wants ''
              else if test -n "$literal"
                  set place (math $place + 1)
              else
                  switch $word
                      case --
                          set literal 1
                      case '--*=*'
                      case '-*'
                          set -l action (_\(function("_value")) $node $word)
                          and not string match -q 'optional*' -- $action
                          and set wants $word
                      case '*'
                          set -l child (_\(function("_child")) $node $word)
                          and set node $child
                          or set place (math $place + 1)
                  end
              end
          end
          if test -n "$wants"
              set -l action (_\(function("_value")) $node $wants)
              and _\(function("_offer")) $action '' $current
          else if string match -q -- '--*=*' $current; and test -z "$literal"
              set -l parts (string split -m 1 = -- $current)
              set -l action (_\(function("_value")) $node $parts[1])
              and _\(function("_offer")) $action $parts[1]= $parts[2]
          else if string match -q -- '-*' $current; and test -z "$literal"
              _\(function("_options")) $node
          else
              test $place = 1; and _\(function("_commands")) $node
              set -l action (_\(function("_value")) $node @$place)
              and _\(function("_offer")) $action '' $current
          end
      end

      complete -c \(name) -f -a '(_\(function()))'

      """
  }

  /// A word in single quotes, for fish.
  private static func fishQuoted(_ word: String) -> String {
    var quoted = "'"
    for character in word {
      if character == "'" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return quoted + "'"
  }
}
