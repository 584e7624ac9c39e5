import type { AccessExplanation, AccessQuestion } from '../../shared/contract/users.ts'
import { operationPermissions, type AccessRule, type EntryOperation } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { firstWordOf, hasDenyingRule, isListedProgram } from '../access/command-rights.ts'
import { traceAccess, type PathDecision } from '../access/trace-access.ts'
import type { User } from '../records/user-store.ts'
import { localFolderOf } from '../storage/local-folder-of.ts'
import type { Storage } from '../storage/port.ts'
import type { UserDependencies } from './user-dependencies.ts'

/** A question about the access of the user with this id. */
type UserAccessQuestion = AccessQuestion & { readonly id: number; readonly signal: AbortSignal }

/**
 * Tells whether a user may do something with an entry, and what decides. The operation runs on the storage of that user
 * as far as it changes nothing, so the answer comes from the code that serves requests (decision 76).
 */
export async function explainUserAccess(
  dependencies: Pick<UserDependencies, 'users' | 'settings' | 'volume' | 'commandsDisabledReason'>,
  { id, signal, operation, ...question }: UserAccessQuestion,
): Promise<AccessExplanation> {
  const user = await dependencies.users.find(id)
  if (user === null) throw new AppError('not-found')
  const path = requiredPath(question.path)
  const to = operation === 'move' || operation === 'copy' ? requiredPath(question.to ?? '') : path
  const { rules: globalRules } = await dependencies.settings()
  const trace = await traceAccess({ volume: dependencies.volume, globalRules }, user, (storage) =>
    tryOperation(storage, operation, { path, to, signal }),
  )
  const permissions = operationPermissions[operation].map((name) => ({
    name,
    isGranted: user.perm[name],
  }))
  const command =
    operation === 'execute'
      ? await explainCommand(dependencies, { user, globalRules, line: question.command ?? '' })
      : null
  const isAllowed =
    !user.isDisabled &&
    trace.hasScope &&
    permissions.every(({ isGranted }) => isGranted) &&
    trace.failure !== 'forbidden' &&
    (command === null || (command.isOn && command.isListed && !command.hasDenials))
  return {
    isAllowed,
    isDisabled: user.isDisabled,
    hasScope: trace.hasScope,
    permissions,
    decisions: trace.decisions.map((decision) => describeDecision(decision, user, globalRules)),
    command,
    failure: trace.failure,
  }
}

/** Runs the part of an operation that checks whether it is possible, and changes nothing. */
function tryOperation(
  storage: Storage,
  operation: EntryOperation,
  { path, to, signal }: { readonly path: Path; readonly to: Path; readonly signal: AbortSignal },
): Promise<unknown> {
  switch (operation) {
    case 'create':
      return storage.check({ kind: 'write', path, overwrite: 'create', signal })
    case 'save':
      return storage.check({ kind: 'write', path, overwrite: 'replace', signal })
    case 'move':
    case 'copy':
      return storage.check({ kind: operation, path, to, overwrite: 'create', signal })
    case 'delete':
      return storage.check({ kind: 'remove', path, recursive: true, signal })
    case 'execute':
      return localFolderOf(storage, path)
    default:
      return storage.stat(path, { signal })
  }
}

type CommandQuestion = {
  readonly user: User
  readonly globalRules: readonly AccessRule[]
  readonly line: string
}

/** Explains whether a user may run a command. The shell calls the same functions before it runs a command. */
async function explainCommand(
  { commandsDisabledReason }: Pick<UserDependencies, 'commandsDisabledReason'>,
  { user, globalRules, line }: CommandQuestion,
): Promise<AccessExplanation['command']> {
  const program = firstWordOf(line)
  if (program === '') throw new AppError('bad-request', { reason: 'no command' })
  return {
    program,
    isOn: (await commandsDisabledReason()) === null,
    isListed: isListedProgram(user, program),
    hasDenials: hasDenyingRule(globalRules, user),
  }
}

function requiredPath(text: string): Path {
  const path = text === '' ? null : pathOf(text)
  if (path === null) throw new AppError('bad-request', { reason: 'not a path' })
  return path
}

function describeDecision(
  { rule: position, ...decision }: PathDecision,
  user: User,
  globalRules: User['rules'],
): AccessExplanation['decisions'][number] {
  const list = decision.decidedBy === 'global-rule' ? globalRules : user.rules
  return { ...decision, position, rule: position === null ? null : (list[position] ?? null) }
}
