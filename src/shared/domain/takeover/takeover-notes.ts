/**
 * The values that the text of a note contains, by name. Ids are texts, because numbers are shown with separators. Texts in
 * other languages join the texts of a list in their own way.
 */
type NoteValues = Readonly<Record<string, string | number | readonly string[]>>

/** Returns a number with its noun, such as `1 user` or `2 users`. */
export const countText = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** Returns a sentence about records that were taken over. `description` follows the noun, such as `for everybody`. */
export const takenOver = (count: number, word: string, description: string): string =>
  `${countText(count, word)} ${description} ${count === 1 ? 'is' : 'are'} taken over.`

type Counted = { readonly count: number }
type ScopeNote = { readonly scope: string; readonly folder: string }
type RuleNote = { readonly path: string; readonly names: readonly string[] }
type ShareNote = { readonly share: string; readonly path: string }
type RefusedUserNote = { readonly reason: string }
type OptionNote = { readonly option: string; readonly value: string }
type LocationNote = { readonly state: string; readonly database: string; readonly reason: string }

const shareLeftOut =
  (reason: string) =>
  ({ share, path }: ShareNote): string =>
    `The share${share === '' ? '' : ` ${share}`} for ${path} is left out, because ${reason}.`

const userLeftOut = ({ reason }: RefusedUserNote): string => `The user is left out, because ${reason}.`

const elsewhere = ({ state, reason }: LocationNote): string =>
  `the state is in ${state}${reason}; to keep it there, ` +
  'mount a folder that can be written, with the database in it, such as the volume "./database:/database", and move the state into it'

/**
 * The notes of a takeover with their English texts, for the command line and the log. The client has a message
 * `settings.takeover.note.<code>` for each of them. The second parameter of notes about rules is the words that follow
 * the rule, such as ` for everybody`.
 */
export const takeoverNoteTexts = {
  'users-kept': ({ count }: Counted) =>
    takenOver(count, 'user', 'with ids, passwords, permissions and rules'),
  'shares-kept': ({ count }: Counted) => takenOver(count, 'share', 'with addresses, passwords and times'),
  'key-kept': () => 'The signing key is taken over, so people who are logged in stay logged in.',
  'login-method': ({ method }: { readonly method: string }) => `The login method is ${method}.`,
  'login-method-captcha': ({ method }: { readonly method: string }) =>
    `The login method is ${method}, with its captcha.`,
  'signup-on': () => 'Signup is on, and new users get the same defaults.',
  'signup-off': () => 'Signup is off, and new users get the same defaults.',
  branding: ({ name }: { readonly name: string }) => `The branding "${name}" is taken over.`,
  'rules-kept': ({ count }: Counted) => takenOver(count, 'rule', 'for everybody'),

  'scope-invalid': ({ scope }: { readonly scope: string }) =>
    `The scope ${scope} is not a folder, so nothing is shown.`,
  'scope-missing': ({ scope, folder }: ScopeNote) =>
    `The scope ${scope} is ${folder} below the root, but there is no such folder.`,
  'scope-read-as': ({ scope, folder }: ScopeNote) =>
    `The scope ${scope} is read as ${folder} below the root.`,
  'scope-same-folder': ({ scope, folder }: ScopeNote) =>
    `The scope ${scope} was a folder of the machine. It is ${folder} now, which is the same folder below the root.`,
  'scope-moved': ({ scope, folder }: ScopeNote) =>
    `The scope ${scope} was a folder of the machine. It is ${folder} below the root now.`,
  'scope-gone': ({ scope, folder }: ScopeNote) =>
    `The scope ${scope} was a folder of the machine. There is no folder ${folder} below the root.`,
  'signup-closed': () => 'Signup is off until you have looked at that folder.',
  'proxy-address': () =>
    'The header of the proxy counts only when it comes from a private address. Name your proxy with --auth.trustedProxies.',
  'commands-sandboxed': () =>
    'The commands of users run in a sandbox and without a shell. Hook commands run as before.',
  'commands-disabled': () =>
    'The commands of users are taken over but disabled. The flag --disableExec=false enables them.',
  'hooks-disabled': ({ count }: Counted) =>
    `The commands of users and ${countText(count, 'hook command')} are taken over but disabled. The flag --disableExec=false enables them.`,
  'no-administrator': () =>
    'There is no administrator. Run stowage users update NAME --perm.admin to make a user an administrator.',
  'no-login-user': () =>
    'There is no login, and the user with the id 1, as whom everybody would act, does not exist.',
  'account-disabled': ({ id }: { readonly id: string }) =>
    `The account is disabled. Look at the folder and the rules, and then run stowage users update ${id} --disabled=false to enable it.`,
  'password-weak': ({ cost }: { readonly cost: string }) =>
    `The password has a weak hash, of cost ${cost}, until the next login.`,
  'password-unknown': () => 'The password is not a hash of a known kind. Set a new one.',
  'command-patterns': ({ commands }: { readonly commands: readonly string[] }) =>
    `The commands ${commands.join(', ')} were patterns. They are names of programs now.`,
  'rules-too-many': ({ count, limit }: Counted & { readonly limit: number }, owner: string) =>
    `There are ${count} rules${owner}, more than ${limit}. All of them apply, but the settings can only be changed together with a shorter list.`,
  'rule-denies-now': (
    { written, path }: { readonly written: string; readonly path: string },
    owner: string,
  ) => `The rule${owner} that denies ${written} matched nothing. It denies ${path} now.`,
  'rule-allowed-longer': ({ path, names }: RuleNote, owner: string) =>
    `The rule${owner} that allows ${path} also matched longer names, such as ${names.join(', ')}. It no longer does.`,
  'rule-denies-longer': ({ path }: { readonly path: string }, owner: string) =>
    `The rule${owner} that denies ${path} also matched longer names. A second rule still denies them.`,
  'rule-denies-found': ({ path, names }: RuleNote, owner: string) =>
    `The rule${owner} that denies ${path} also matched longer names, such as ${names.join(', ')}. A second rule still denies them.`,
  'option-unknown': ({ option }: { readonly option: string }) =>
    `The option ${option} is left out, because it is not an option that is stored.`,
  'option-shortened': ({ option, value, longest }: OptionNote & { readonly longest: string }) =>
    `The option ${option} is ${longest}, which is the longest time. It was ${value}.`,
  'option-invalid': ({ option, value, expected }: OptionNote & { readonly expected: string }) =>
    `The option ${option} is left out, because ${value} is not ${expected}.`,
  'options-early': () =>
    'Early versions of File Browser stored no switches for thumbnails, previews, commands and type detection, so the defaults apply. ' +
    'Run stowage config to see them.',
  'state-elsewhere': elsewhere,
  'state-unwritable': (values: LocationNote & { readonly fault: string }) => elsewhere(values),

  'key-damaged': () => 'The signing key is damaged, so everybody has to log in again.',
  'rule-empty': (_values: NoteValues, owner: string) =>
    `The rule${owner} without an expression cannot be read, so everything is denied instead.`,
  'rule-unreadable': ({ expression }: { readonly expression: string }, owner: string) =>
    `The rule${owner} with the expression ${expression} cannot be read, so everything is denied instead.`,
  'rule-matched-nothing': ({ path }: { readonly path: string }, owner: string) =>
    `The rule${owner} that allows ${path} matched nothing, so it is left out.`,
  'user-name-taken': ({ id }: { readonly id: string }) =>
    `The user is left out, because the user ${id} has this name, in other letters or the same.`,
  'user-name': userLeftOut,
  'user-rules': userLeftOut,
  'user-invalid': userLeftOut,
  'share-no-owner': ({ share, path, userId }: ShareNote & { readonly userId: string }) =>
    `The share ${share} of the user ${userId} for ${path} is left out, because its owner does not exist.`,
  'share-no-address': shareLeftOut('it has no address'),
  'share-expired': shareLeftOut('it has expired'),
  'share-password': shareLeftOut('its password is not a hash of a known kind'),
  'share-password-damaged': shareLeftOut('its password is damaged'),
  'share-awaited': ({ share, path }: ShareNote) =>
    `The share ${share} for ${path} waits, because there is no such entry that can be read. It works as soon as there is one.`,
  'share-absent': shareLeftOut('there is no such entry that can be read'),
  'share-elsewhere': shareLeftOut('it lies outside of the folder of its owner now'),
  'share-outside': shareLeftOut('it lies behind a link that leaves the folder of its owner'),
  'share-special': shareLeftOut('it is neither a file nor a folder'),
} as const satisfies Readonly<Record<string, (values: never, owner: string) => string>>

type NoteTexts = typeof takeoverNoteTexts

/** The code of a note of a takeover, by which the client finds its message. */
export type TakeoverNoteCode = keyof NoteTexts

/** The values of a note of a takeover. */
export type TakeoverNoteValues<Code extends TakeoverNoteCode> =
  Parameters<NoteTexts[Code]> extends [infer Values, ...unknown[]] ? Values : Readonly<Record<string, never>>

/** A note of a takeover, without its text and without the user whom it is about. */
export type TakeoverMessage = {
  readonly [Code in TakeoverNoteCode]: { readonly code: Code; readonly values: TakeoverNoteValues<Code> }
}[TakeoverNoteCode]

/** Returns the English text of a message. `owner` follows the rule in messages about rules, such as ` for everybody`. */
export const textOfMessage = ({ code, values }: TakeoverMessage, owner = ''): string =>
  // The type of a message relates its values to its code, which TypeScript does not follow through the table.
  (takeoverNoteTexts[code] as (values: unknown, owner: string) => string)(values, owner)
