internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog lend COPY to NAME`: records a loan.
struct LendCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "lend", summary: "Record that you lent a copy, and to whom.",
    examples: [
      Example("catalog lend c7 to Anna --due 2w", "Copy c7, for two weeks."),
      Example("catalog lend kind of blue to Kim Min-su --on yesterday", "The only copy of an item."),
      Example("catalog lend c5 c6 to Bob", "Two copies."),
    ],
    arguments: [
      .words(
        \.typed, value: "COPY to NAME", completion: "lend",
        help: "The copies (c7, or an item that has just one), the word 'to', and the borrower."),
      .option("due", \.due, help: "When it is due: 2w (two weeks from now; d, w, m, y), 2026-12-24."),
      .option("on", \.day, value: "DATE", help: "When you lent it: yesterday, -3d, 2026-11-21. Today by default."),
      .option("note", \.note, value: "WORDS", help: "A note."),
    ])

  var typed = TypedReferences()
  var due: DueDate?
  var day: TypedDate?
  var note: String?
  var result = ResultOptions()

  /// The index of the last 'to', which separates the copies from the name. Titles may contain the word, too.
  private var border: Int? { typed.words.lastIndex { $0.lowercased() == "to" } }

  func validate() throws(UsageError) {
    let example: Message = "for example: catalog lend c7 to Anna --due 2w"
    guard let border, border > 0 else {
      throw UsageError("the borrower is missing: write 'COPY to NAME'", hint: example)
    }
    if border == typed.words.count - 1 { throw UsageError("the borrower is missing after 'to'", hint: example) }
  }

  func run(in context: Context) throws {
    let store = try context.changing()
    guard let border else { return }
    let person = try Store.checkName(typed.words[(border + 1)...].joined(separator: " "))
    let day = try day.map { try context.day(context.date($0), typed: $0.text) } ?? context.today()
    let due = try due.map { try context.day(context.date($0), typed: $0.date.text) }
    let copies = try context.copies(TypedReferences(words: Array(typed.words[..<border])), in: store)
    let lines = try copies.map { copy -> Message in
      let line = context.safe(try store.item(copy.item).line)
      return due.map { "\(copy.id) to \(context.safe(person)), due \($0.words): \(line)" }
        ?? "\(copy.id) to \(context.safe(person)): \(line)"
    }
    /// Whether a copy is lent already as the line says. What the line leaves open may be anything.
    func isLent(_ copy: Copy) -> Bool {
      guard let holder = copy.holder, note == nil, Folding.fold(holder.person) == Folding.fold(person) else {
        return false
      }
      return (due == nil || holder.due == due) && (self.day == nil || holder.since == day)
    }
    let isDry = context.globals.isDryRun
    // All copies are lent, or none.
    let writable = isDry || copies.allSatisfy(isLent) ? store : try context.writable(store)
    func lend() throws -> [Bool] {
      try copies.map { copy in
        let now = try writable.copy(copy.id)
        if isLent(now) { return false }
        if isDry, let holder = now.holder { throw CatalogError.copyIsOut(copy.id, holder) }
        if !isDry { _ = try writable.lend(copy.id, to: person, on: day, due: due, note: note) }
        return true
      }
    }
    let isNew = try isDry || copies.allSatisfy(isLent) ? lend() : writable.write(lend)
    for ((copy, line), isNew) in zip(zip(copies, lines), isNew) {
      func change() throws -> Change { try self.change(copy, to: person, due ?? copy.holder?.due, in: store) }
      if !isNew {
        try context.already("lent already: \(line)", change())
      } else if isDry {
        try context.would("would lend \(line)", change())
      } else {
        try context.did("lent \(line)", change())
      }
    }
  }

  private func change(_ copy: Copy, to person: String, _ due: PartialDate?, in store: Store) throws -> Change {
    Change(of: try store.item(copy.item), [("copy", copy.id), ("borrower", person), ("due_on", due)])
  }
}

/// `catalog return COPY`: records the return of a copy.
struct ReturnCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "return", summary: "Record that a copy is back.",
    discussion: "For an item with several copies, it is the lent one. The loan is kept, with the date of return.",
    examples: [
      Example("catalog return c7", "Copy c7 is back today."),
      Example("catalog return kind of blue --on yesterday", "The copy of an item that is lent."),
    ],
    arguments: [
      .words(\.typed, value: "COPY", completion: "lent", help: "The copy: c7, an item, or its borrower."),
      .option("on", \.day, value: "DATE", help: "When it came back: yesterday, -3d, 2026-11-21. Today by default."),
    ])

  var typed = TypedReferences()
  var day: TypedDate?
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.changing()
    let day = try day.map { try context.day(context.date($0), typed: $0.text) } ?? context.today()
    let copy = try lent(in: store, context)
    func change() throws -> Change {
      Change(
        of: try store.item(copy.item),
        [("copy", copy.id), ("borrower", copy.holder?.person), ("returned_on", copy.holder.map { _ in day })])
    }
    guard let holder = copy.holder else { return try context.already("the copy \(copy.id) is not lent", change()) }
    let words: Message =
      "\(copy.id) from \(context.safe(holder.person)): \(context.safe(try store.item(copy.item).line))"
    if context.globals.isDryRun { return try context.would("would be back: \(words)", change()) }
    try context.writable(store).takeBack(copy.id, on: day)
    try context.did("back: \(words)", change())
  }

  /// The only lent copy with this title or borrower.
  /// - Throws: ``Failure`` that lists the copies of a borrower with several.
  private func lentOne(_ words: String, in store: Store) throws -> Copy? {
    let loans = try store.loans()
    let name = Folding.fold(words)
    let theirs = loans.filter { Folding.fold($0.person) == name }
    guard let first = theirs.first else {
      let typed = SearchWords(words)
      let called = try loans.filter { TitleRank(of: try store.item($0.item).record, for: typed) <= .withNames }
      return called.count == 1 ? try store.copy(called[0].copy) : nil
    }
    let lines = try theirs.map { "  \($0.copy)  \(try store.item($0.item).record.headline)" }
    throw Failure(
      "\(first.person) has \(theirs.count.counted("copy", "copies"))"
        + Message(verbatim: ":\n" + lines.joined(separator: "\n")),
      hint: "when a copy is back: catalog return \(first.copy)")
  }

  /// The lent copy that was named; an item may have only one.
  private func lent(in store: Store, _ context: Context) throws -> Copy {
    let reference = try Reference(typed)
    if case .copy(let id) = reference { return try store.copy(id) }
    if case .words(let words) = reference {
      if let only = try lentOne(words, in: store) { return only }
      guard try !context.named(typed.words, in: store).isEmpty else {
        throw Failure(
          "no lent copy and no borrower is called \(words.quoted)",
          hint: "who has what: catalog loans")
      }
    }
    let id = try context.item(reference, in: store)
    let lent = try store.copies(of: id).filter { $0.holder != nil }
    if let only = lent.first, lent.count == 1 { return only }
    return try context.onlyCopy(of: id, in: store)
  }
}

/// `catalog loans`: lists the lent copies.
struct LoansCommand: Command {
  static let info = CommandInfo<Self>(
    "loans", summary: "List lent copies and their borrowers, overdue copies first.",
    discussion: """
      With --overdue it lists only overdue copies, and the exit status is 6 when there are any and 0 when there is none, \
      so that a script can send a mail.
      """,
    examples: [
      Example("catalog loans", "All lent copies."), Example("catalog loans anna", "The copies that Anna has borrowed."),
      Example(
        "catalog loans --overdue > late || mail -s out me < late", "For cron: sends a mail when a copy is overdue."),
      Example("catalog loans --all --json", "Returned copies too, for a program."),
    ],
    arguments: [
      .phrase(
        "name", \.name, isRequired: false, completion: .dynamic("borrowers"),
        help: "Only copies that this person has borrowed."),
      .flag("all", short: "a", \.listsAll, help: "Returned copies too."),
      .flag("overdue", \.isOverdue, help: "Only overdue copies; the exit status is 6 when there are any."),
    ] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var name: String?
  var listsAll = false
  var rows = RowOptions()
  var isOverdue = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let today = try context.today()
    let wanted = name.map(Folding.fold)
    let loans = try store.loans(withReturned: listsAll).filter { loan in
      (!isOverdue || loan.isOverdue(on: today)) && wanted.map { Folding.fold(loan.person).hasPrefix($0) } ?? true
    }
    let lent = try loans.map { (loan: $0, record: try store.item($0.item).record) }
    let listing = try Table(
      lent,
      [
        .init("copy", "", importance: 9, style: .cyan, \.loan.copy), .hidden("item", \.loan.item),
        .init("kind", "Kind", importance: 2, isWord: true, \.record.kind),
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8, style: .bold, \.record.title),
        .hidden("creators", \.record.creators),
        .init("borrower", "Who", isFlexible: true, minimumWidth: 8, importance: 7, \.loan.person),
        .init("lent_on", "Lent", importance: 4, \.loan.lentOn),
        .init("due_on", "Due", importance: 6) { lent -> Table.Cell in
          let (due, isOverdue) = (lent.loan.dueOn?.description, lent.loan.isOverdue(on: today))
          return Table.Cell(
            value: due.map(Table.Value.text) ?? .none, shown: due.map { isOverdue ? "\($0) !" : $0 },
            style: isOverdue ? .red : .plain)
        },
        .hidden("overdue") { $0.loan.isOverdue(on: today) },
        .init("returned_on", "Back", importance: 3, isHidden: !listsAll, \.loan.returnedOn),
        .init("note", "Note", isFlexible: true, minimumWidth: 8, importance: 1, \.loan.note),
      ])
    try context.write(listing, table, rows)
    let isForPeople = table.format(on: context.terminal) == .fitted
    if loans.isEmpty, let name {
      throw Failure("\(name.quoted) has nothing of yours", hint: "who has what: catalog loans")
    }
    if loans.isEmpty {
      guard isOverdue else { throw Failure("nothing is lent", hint: "lend a copy: catalog lend c1 to NAME") }
      if isForPeople { context.note("nothing is overdue") }
    }
    let overdue = loans.count { $0.isOverdue(on: today) }
    if overdue > 0, isForPeople {
      context.warn(
        Message(counting: overdue, one: "\(overdue) copy is overdue", many: "\(overdue) copies are overdue"))
    }
    if overdue > 0, isOverdue { throw SilentFailure(status: .overdue) }
  }
}
