// Renames declarations, members, local variables and files across the repository, by the type checker.
// TYPESCRIPT=<path of a TypeScript 5 package> node scripts/codemod/rename.mjs TABLE.json
// A table is an array of { file, name, to }, { file, name: 'Type.member', to }, { file, local, to } and { move, to }.
// It stays in the repository only while the names change.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix, relative, resolve } from 'node:path'

const ts = createRequire(import.meta.url)(process.env.TYPESCRIPT)
const root = resolve(dirname(new URL(import.meta.url).pathname), '../..')
const table = JSON.parse(readFileSync(process.argv[2], 'utf8'))

const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), { target: ts.ScriptTarget.ESNext, lib: ['lib.esnext.d.ts'] }, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (d) => { throw new Error(ts.flattenDiagnosticMessageText(d.messageText, '\n')) },
})
const program = ts.createProgram(config.fileNames, { ...config.options, target: ts.ScriptTarget.ESNext, lib: ['lib.esnext.d.ts'], incremental: false })
const checker = program.getTypeChecker()
const ours = program.getSourceFiles().filter((f) => f.fileName.startsWith(root) && !f.fileName.includes('node_modules'))
const problems = []

/** Declaration node → new name. */
const renamed = new Map()
const oldNames = new Set()
function plan(declaration, name, to) {
  renamed.set(declaration, to)
  oldNames.add(name)
}

for (const entry of table) {
  if (entry.move) continue
  const source = program.getSourceFile(join(root, entry.file))
  if (!source) { problems.push(`no file ${entry.file}`); continue }
  if (entry.local) { planLocal(source, entry); continue }
  const [name, ...members] = entry.name.split('.')
  const member = members.length ? members.join('.') : undefined
  const declarations = topLevel(source, name)
  if (declarations.length === 0) { problems.push(`${entry.file} declares no ${name}`); continue }
  if (member === undefined) for (const declaration of declarations) plan(declaration, name, entry.to)
  else {
    const found = declarations.flatMap((declaration) => findMembers(declaration, member))
    if (found.length === 0) problems.push(`${entry.file}: ${name} has no member ${member}`)
    for (const declaration of found) plan(declaration, member.split('.').at(-1), entry.to)
  }
}

function topLevel(source, name) {
  const found = []
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const d of statement.declarationList.declarations) {
        if (ts.isIdentifier(d.name) && d.name.text === name) found.push(d)
        else if (!ts.isIdentifier(d.name)) d.name.elements.forEach((e) => { if (ts.isBindingElement(e) && ts.isIdentifier(e.name) && e.name.text === name) found.push(e) })
      }
    } else if (statement.name && ts.isIdentifier(statement.name) && statement.name.text === name) found.push(statement)
  }
  return found
}

function findMembers(declaration, path) {
  const name = path.split('.').at(-1)
  const found = []
  const visit = (node) => {
    if ((ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isPropertyDeclaration(node) || ts.isMethodDeclaration(node) || ts.isGetAccessor(node) || ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isParameterPropertyDeclaration?.(node, node.parent)) && node.name && ts.isIdentifier(node.name) && node.name.text === name) found.push(node)
    ts.forEachChild(node, visit)
  }
  // In types and classes any depth of type literals; in constants the object literal.
  visit(declaration)
  return found
}

function planLocal(source, { local, to, file }) {
  let count = 0
  const visit = (node) => {
    if ((ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node) || ts.isFunctionDeclaration(node)) && node.name && ts.isIdentifier(node.name) && node.name.text === local) {
      if (!renamed.has(node)) plan(node, local, to)
      count++
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  if (count === 0) problems.push(`${file} has no local ${local}`)
}

function mapped(symbol, text) {
  if (!symbol) return undefined
  if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  for (const d of symbol.declarations ?? []) {
    const to = renamed.get(d)
    if (to !== undefined && nameOf(d) === text) return to
  }
  return undefined
}
function nameOf(d) { return d.name?.text }

function propertySymbols(type, name) {
  if (!type) return []
  const types = type.isUnionOrIntersection?.() ? type.types : [type]
  return [type, ...types].map((t) => checker.getPropertyOfType(checker.getApparentType(t), name)).filter(Boolean)
}
function mappedProperty(type, name) {
  for (const s of propertySymbols(type, name)) {
    const to = mapped(s, name)
    if (to !== undefined) return to
  }
  return undefined
}

// A member that is destructured into a variable of its name takes the variable with it.
for (const source of ours) {
  const visit = (node) => {
    if (ts.isBindingElement(node) && !node.propertyName && !node.dotDotDotToken && ts.isIdentifier(node.name) && ts.isObjectBindingPattern(node.parent) && oldNames.has(node.name.text) && !renamed.has(node)) {
      const to = mappedProperty(checker.getTypeAtLocation(node.parent), node.name.text)
      if (to !== undefined && !checker.resolveName(to, node, ts.SymbolFlags.Value, false)) renamed.set(node, to)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

const edits = new Map()
for (const source of ours) {
  const own = []
  const text = source.text
  const push = (node, to) => own.push([node.getStart(source), node.getEnd(), to])
  const visit = (node) => {
    if (ts.isIdentifier(node) && oldNames.has(node.text)) edit(node, push)
    else if (ts.isStringLiteral(node) && oldNames.has(node.text) && ts.isLiteralTypeNode(node.parent)) editLiteralType(node, push)
    ts.forEachChild(node, visit)
  }
  visit(source)
  if (own.length) edits.set(source.fileName, apply(text, own))
}

function editLiteralType(node, push) {
  // Pick<T, 'member'>, Omit<T, 'member'>, T['member'].
  const literal = node.parent
  const outer = literal.parent
  let type
  if (ts.isIndexedAccessTypeNode(outer)) type = checker.getTypeFromTypeNode(outer.objectType)
  else {
    const reference = ts.isUnionTypeNode(outer) ? outer.parent : outer
    if (ts.isTypeReferenceNode(reference) && /^(Pick|Omit)$/.test(reference.typeName.getText())) type = checker.getTypeFromTypeNode(reference.typeArguments[0])
  }
  const to = mappedProperty(type, node.text)
  if (to) push(node, `'${to}'`)
}

function edit(node, push) {
  const { parent, text } = node
  if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) {
    const value = mapped(checker.getShorthandAssignmentValueSymbol(parent), text) ?? text
    const property = renamed.get(parent) ?? mappedProperty(checker.getContextualType(parent.parent), text) ?? mapped(checker.getSymbolAtLocation(node), text) ?? text
    const own = renamedOwn(parent, text)
    const prop = own ?? property
    if (value !== text || prop !== text) push(node, value === prop ? value : `${prop}: ${value}`)
    return
  }
  if (ts.isBindingElement(parent) && parent.name === node && !parent.propertyName && !parent.dotDotDotToken && ts.isObjectBindingPattern(parent.parent)) {
    const property = mappedProperty(checker.getTypeAtLocation(parent.parent), text) ?? text
    const value = renamed.get(parent) ?? text
    if (value !== text || property !== text) push(node, value === property ? value : `${property}: ${value}`)
    return
  }
  if (ts.isBindingElement(parent) && parent.propertyName === node) {
    const property = mappedProperty(checker.getTypeAtLocation(parent.parent), text)
    if (property === undefined) return
    if (ts.isIdentifier(parent.name) && parent.name.text === property) { push(parent, property + (parent.initializer ? ` = ${parent.initializer.getText()}` : '')) }
    else push(node, property)
    return
  }
  if ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isGetAccessor(parent)) && parent.name === node && ts.isObjectLiteralExpression(parent.parent)) {
    const to = renamed.get(parent) ?? mappedProperty(checker.getContextualType(parent.parent), text)
    if (to === undefined) return
    if (ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.initializer) && (mapped(checker.getSymbolAtLocation(parent.initializer), parent.initializer.text) ?? parent.initializer.text) === to) {
      push(parent, to)
      return
    }
    push(node, to)
    return
  }
  if (ts.isPropertyAssignment(parent) && parent.initializer === node) {
    // { app: house } with house → app becomes { app }.
    const to = mapped(checker.getSymbolAtLocation(node), text)
    if (to !== undefined && ts.isIdentifier(parent.name) && parent.name.text === to && !oldNames.has(parent.name.text)) { push(parent, to); return }
  }
  let symbol = checker.getSymbolAtLocation(node)
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) {
    if (parent.propertyName && parent.name === node) return
    if (ts.isImportSpecifier(parent) && parent.propertyName === node) {
      const to = mapped(symbol ?? checker.getSymbolAtLocation(parent.name), text)
      if (to !== undefined) { if (parent.name.text === to) push(parent, (parent.isTypeOnly ? 'type ' : '') + to); else push(node, to) }
      return
    }
    if (ts.isExportSpecifier(parent)) symbol = checker.getExportSpecifierLocalTargetSymbol(parent) ?? symbol
  }
  const to = mapped(symbol, text)
  if (to !== undefined) push(node, to)
}
function renamedOwn(parent, text) { return renamed.get(parent) }

function apply(text, edits) {
  edits.sort((a, b) => b[0] - a[0] || a[1] - b[1])
  let last = Infinity
  // An edit of a whole property contains the one of its name: the outer wins.
  const outer = edits.filter(([s, e]) => !edits.some(([s2, e2]) => (s2 < s && e2 >= e) || (s2 <= s && e2 > e)))
  for (const [start, end, to] of outer) {
    if (end > last) continue
    text = text.slice(0, start) + to + text.slice(end)
    last = start
  }
  return text
}

for (const [file, text] of edits) writeFileSync(file, text)

// ---- moves
const moves = new Map(table.filter((e) => e.move).map((e) => [join(root, e.move), join(root, e.to)]))
if (moves.size) {
  for (const source of ours) {
    const from = source.fileName
    const to = moves.get(from) ?? from
    let text = readFileSync(from, 'utf8')
    text = text.replaceAll(/((?:from|import|import\(|URL\(|register\()\s*\(?\s*)(['"])(\.[^'"]*)\2/g, (all, before, quote, specifier) => {
      const target = resolve(dirname(from), specifier)
      const moved = moves.get(target) ?? target
      if (moved === target && to === from) return all
      if (!existsSync(target)) return all
      let path = relative(dirname(to), moved).split('\\').join('/')
      if (!path.startsWith('.')) path = `./${path}`
      return `${before}${quote}${path}${quote}`
    })
    writeFileSync(from, text)
  }
  for (const [from, to] of moves) {
    if (!existsSync(from)) { problems.push(`cannot move ${from}`); continue }
    mkdirSync(dirname(to), { recursive: true })
    execFileSync('git', ['mv', from, to], { cwd: root })
  }
}

// ---- mentions in comments, texts of proofs and pages
const files = execFileSync('git', ['ls-files', '*.ts', '*.md', '*.json', '*.mjs', '.ci/run', 'scripts/*', '*.yaml', 'Dockerfile'], { cwd: root, encoding: 'utf8' }).split('\n').filter((f) => f && !/^(openapi|events\.schema|package-lock)|scripts\/codemod|migrations|schema\.sql/.test(f))
const mentions = table.filter((e) => e.name && !e.name.includes('.') && /[a-z][A-Z]/.test(e.name)).map((e) => [new RegExp(`(?<![\\w$.'-])${e.name}(?![\\w$'-])`, 'g'), e.to])
const count = (name) => table.filter((e) => e.name === name).length
const paths = table.filter((e) => e.move).flatMap((e) => {
  const short = (p) => p.replace(/^server\/src\//, '')
  return [[e.move, e.to], [short(e.move), short(e.to)]]
})
for (const file of files) {
  const path = join(root, file)
  if (!existsSync(path)) continue
  const before = readFileSync(path, 'utf8')
  let text = before
  for (const [from, to] of paths) text = text.replaceAll(new RegExp(`(?<![\\w./-])${from.replaceAll(/[.]/g, '\\.')}(?![\\w-])`, 'g'), to)
  if (file.endsWith('.md')) for (const [pattern, to] of mentions) text = text.replaceAll(pattern, to)
  else if (file.endsWith('.ts')) {
    text = text.replaceAll(/\/\*\*?[^]*?\*\/|(?<=^|[^:'"`])\/\/ .*$/gm, (comment) => mentions.reduce((t, [pattern, to]) => t.replaceAll(pattern, to), comment))
    if ((file.startsWith('proofs/') && !/^proofs\/(redaction|retrieval|identity)/.test(file))) text = text.replaceAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (literal) => mentions.reduce((t, [pattern, to]) => t.replaceAll(pattern, to), literal))
  }
  if (text !== before) writeFileSync(path, text)
}
for (const p of problems) console.error(p)
console.log(`${edits.size} files edited, ${moves.size} moved, ${problems.length} problems`)
