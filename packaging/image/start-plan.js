/**
 * The decisions of the entry point of the container image. They read nothing by themselves, so that tests can show them all.
 *
 * @typedef {{ uid: number, gid: number }} ServingUser
 * @typedef {{ point: string, isReadOnly: boolean }} Mount
 * @typedef {Readonly<Record<string, string | undefined>>} Environment
 */

/**
 * The file system of the container as the entry point knows it, seen with the rights of the user who will serve.
 * @typedef {{
 *   exists: (path: string) => boolean,
 *   isPrivate: (path: string) => boolean,
 *   owner: (path: string) => string,
 *   canRead: (path: string) => boolean,
 *   canWrite: (path: string) => boolean,
 *   mounts: readonly Mount[],
 *   isOriginalDatabase: (path: string) => boolean,
 *   isRootless: boolean,
 * }} ContainerFiles
 */

/** The folder of the state in the image: `stowage.db` and the files beside it. */
export const stateFolder = '/var/lib/stowage'

/** The volumes of a container that did not run File Browser before. */
export const newVolumes = ['/srv', stateFolder]

/** The user and group without `PUID` and `PGID`. File Browser has them in its image since version 2.33. */
const defaultId = 1000

/** The largest user or group id of Linux. The next one, which is -1, means "no change" to the system calls. */
const largestId = 2 ** 32 - 2

/**
 * The databases of the images of File Browser, in the order in which the server looks for them, and the port on which
 * each image listens. The configuration of a proxy in front of it names this port.
 */
const originalImages = [
  { database: '/database/filebrowser.db', port: 80 },
  { database: '/database.db', port: 80 },
  { database: '/config/filebrowser.db', port: 8080 },
  { database: '/db/database.db', port: 80 },
]

/** The port of the image where no File Browser was before. */
const defaultPort = 8080

/** The configuration files of the images of File Browser. The server finds the second one by itself. */
const imageConfiguration = '/config/settings.json'
const rootConfiguration = '/.filebrowser.json'

/** A reason why the server is not started. The message is for the person who starts the container. */
export class StartRefusal extends Error {}

/**
 * Returns the user who serves. `PGID` alone changes only the group, and `PUID` alone means the group of the same number.
 * @param {Environment} env
 * @returns {ServingUser}
 */
export function servingUser({ PUID = '', PGID = '' }) {
  const uid = PUID === '' ? defaultId : idOf('PUID', PUID)
  return { uid, gid: PGID === '' ? uid : idOf('PGID', PGID) }
}

/**
 * @param {string} name
 * @param {string} text
 */
function idOf(name, text) {
  const id = Number(text)
  if (!/^\d+$/.test(text) || id > largestId)
    throw new StartRefusal(
      `${name} must be the number of a user or a group, such as 1000, and not "${text}".`,
    )
  return id
}

/**
 * Returns the mask for the permissions of new files, or null when the container keeps its own.
 * @param {Environment} env
 */
export function umaskOf({ UMASK = '' }) {
  if (UMASK === '') return null
  if (!/^0?[0-7]{3}$/.test(UMASK))
    throw new StartRefusal(`UMASK must be an octal number of three digits, such as 022, and not "${UMASK}".`)
  return Number.parseInt(UMASK, 8)
}

/**
 * True when these arguments start the server, and false for verbs, the help and the version.
 * @param {readonly string[]} args
 */
export const isServing = (args) =>
  (args[0] === undefined || args[0].startsWith('-')) &&
  !args.some((argument) => ['--help', '-h', '--version'].includes(argument))

/**
 * Returns the arguments and variables that the image adds to those of the container. What the container sets itself, or
 * has in a configuration file, counts. Flags are added only where the server is started, because each verb has its own.
 * @param {readonly string[]} args
 * @param {Environment} env
 * @param {Pick<ContainerFiles, 'exists' | 'isPrivate' | 'mounts' | 'isOriginalDatabase'>} files
 * @returns {{ args: readonly string[], env: Environment }}
 */
export function withImageDefaults(args, env, files) {
  const given = givenOptions(args, env)
  if (given.has('config') || files.exists(rootConfiguration)) return { args, env }
  if (files.exists(imageConfiguration)) return { args, env: { ...env, STOWAGE_CONFIG: imageConfiguration } }
  const flags = { address: '', port: portOf(files, namedDatabase(args, env)) }
  const missing = Object.entries(flags).filter(([name]) => !given.has(name) && !given.has('socket'))
  return {
    args: isServing(args) ? [...missing.map(([name, value]) => `--${name}=${value}`), ...args] : args,
    env: given.has('root') ? env : { ...env, STOWAGE_ROOT: servedFolder(files) },
  }
}

/**
 * Returns the port of the image of File Browser that was used before. A database with another path than those of the images
 * comes from one that serves `/srv`, and that listens on port 80, or from the one with `/data`.
 * @param {Pick<ContainerFiles, 'exists' | 'isPrivate' | 'mounts' | 'isOriginalDatabase'>} files
 * @param {string} named the database that the container names, or an empty text
 */
function portOf(files, named) {
  const original = originalOf(files)
  if (original !== undefined) return original.port
  const isOriginal = named !== '' && (files.isOriginalDatabase(named) || files.exists(`${named}.stowage`))
  return isOriginal && servedFolder(files) === '/srv' ? 80 : defaultPort
}

/**
 * Returns the database of the command line or of the environment, or an empty text.
 * @param {readonly string[]} args
 * @param {Environment} env
 */
function namedDatabase(args, { STOWAGE_DATABASE = '', FB_DATABASE = '' }) {
  const last = args.findLastIndex((argument) => /^(?:-d|--database)(?:=|$)/.test(argument))
  if (last === -1) return STOWAGE_DATABASE || FB_DATABASE
  return /=(.*)/s.exec(args[last] ?? '')?.[1] ?? args[last + 1] ?? ''
}

/**
 * True for a database of File Browser that exists, or that was taken over and then removed.
 * @param {string} database
 * @param {Pick<ContainerFiles, 'exists'>} files
 */
const isOrWas = (database, { exists }) => exists(database) || exists(`${database}.stowage`)

/**
 * Returns the image of File Browser whose database the server will use. A state of Stowage precedes the databases, except one
 * with a private state beside it (`findDatabase` in the server).
 * @param {Pick<ContainerFiles, 'exists' | 'isPrivate'>} files
 */
const originalOf = (files) =>
  originalImages.find(({ database }) =>
    files.exists(`${stateFolder}/stowage.db`)
      ? files.isPrivate(`${database}.stowage`)
      : isOrWas(database, files),
  )

/**
 * Returns the folder whose files are served: that of the image, or that of a widespread image of File Browser.
 * @param {Pick<ContainerFiles, 'mounts'>} files
 */
const servedFolder = (files) =>
  mountsOf('/srv', files).length === 0 && mountsOf('/data', files).length > 0 ? '/data' : '/srv'

/**
 * Returns the mounts with the files of a folder: the one that holds the folder, or else those below it. People mount several
 * folders of their machine below `/srv`, and leave `/srv` itself to the container.
 * @param {string} folder
 * @param {Pick<ContainerFiles, 'mounts'>} files
 * @returns {readonly Mount[]}
 */
function mountsOf(folder, files) {
  const holding = mountOf(folder, files)
  return holding === null ? files.mounts.filter(({ point }) => point.startsWith(`${folder}/`)) : [holding]
}

/**
 * Returns the names of the options that the command line or the environment sets, without hyphens and in small letters.
 * @param {readonly string[]} args
 * @param {Environment} env
 */
function givenOptions(args, env) {
  const flags = args.filter((argument) => argument.startsWith('-'))
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value ? (/^(?:FB|STOWAGE)_(.+)/.exec(name)?.slice(1) ?? []) : [],
  )
  const names = [...flags.map((flag) => flag.replace(/^-+/, '').replace(/=.*/s, '')), ...variables]
  return new Set(names.map((name) => shortNames[name] ?? name.toLowerCase().replaceAll(/[-_.]/g, '')))
}

/** @type {Readonly<Record<string, string>>} */
const shortNames = { a: 'address', c: 'config', d: 'database', p: 'port', r: 'root' }

/**
 * Returns the mount that holds a path, or null when the path belongs to the container and is lost with it.
 * @param {string} path
 * @param {Pick<ContainerFiles, 'mounts'>} files
 * @returns {Mount | null}
 */
export function mountOf(path, { mounts }) {
  const holding = mounts.filter(({ point }) => point !== '/' && `${path}/`.startsWith(`${point}/`))
  return holding.toSorted((one, other) => other.point.length - one.point.length)[0] ?? null
}

/**
 * Returns the mounts in the text of `/proc/self/mountinfo` (proc_pid_mountinfo(5)), which writes blanks as octal numbers.
 * @param {string} text
 * @returns {readonly Mount[]}
 */
export const mountsIn = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
    .map(([, , , , point = '', options = '']) => ({
      point: point.replaceAll(/\\([0-7]{3})/g, (_whole, code) =>
        String.fromCodePoint(Number.parseInt(code, 8)),
      ),
      isReadOnly: options.split(',').includes('ro'),
    }))

/**
 * True when root of the container is the ordinary user of the host who started it, as with rootless Podman and Docker. The other
 * users of the container are then numbers that nobody has on the host. The text is that of `/proc/self/uid_map`
 * (user_namespaces(7)). A whole range that begins with root, as in an unprivileged container of LXC, is something else.
 * @param {string} text
 */
export const isRootless = (text) => /^ *0 +[1-9]\d* +1$/m.test(text)

/**
 * Throws `StartRefusal` when the server could not work with the volumes of this container, or would lose its state with the
 * container. Folders that the container names itself are left to the server. Returns warnings.
 * @param {{ args: readonly string[], env: Environment, user: ServingUser, files: ContainerFiles }} start
 * @returns {readonly string[]}
 */
export function checkVolumes({ args, env, user, files }) {
  const given = givenOptions(args, env)
  const isConfigured = given.has('config') || [imageConfiguration, rootConfiguration].some(files.exists)
  const served = given.has('root') || isConfigured ? null : servedFolder(files)
  const servedMount = served === null ? null : mountOf(served, files)
  const servedMounts = served === null ? [] : mountsOf(served, files)
  const state = given.has('database') ? null : stateOf({ files, isConfigured })
  // The state of a taken-over database that is mounted alone is in the served folder, which has to last, too.
  const isInServedFolder = state?.isBesideOriginal === false
  if (state?.isLost) throw new StartRefusal(notMounted('the state', 'stowage-state', stateFolder))
  if (served !== null && servedMounts.length === 0)
    throw new StartRefusal(notMounted('the files to serve', '/path/of/your/files', served))
  if (isInServedFolder && served !== null && servedMount === null)
    throw new StartRefusal(notMounted('the state', 'stowage-files', served))
  // The folder itself where it is a volume or in one, and otherwise the volumes below it.
  const places = servedMounts.map(({ point, isReadOnly }) => ({
    path: servedMount === null || served === null ? point : served,
    isReadOnly,
  }))
  const unreadable = pathsOf(places.filter(({ path }) => !files.canRead(path)))
  const unwritable = pathsOf(places.filter(({ path, isReadOnly }) => !isReadOnly && !files.canWrite(path)))
  const needed = servedMount === null ? [] : [...unreadable, ...(isInServedFolder ? unwritable : [])]
  const unusable = [...new Set([...(state?.unusable ?? []), ...needed])]
  if (unusable.length > 0) throw new StartRefusal(notAllowed('use', unusable, { user, files }))
  return [
    ...(served !== null && servedMount === null ? [onlyBelow(served)] : []),
    ...(unwritable.length > 0
      ? [`Warning: people can only read files. ${notAllowed('write to', unwritable, { user, files })}`]
      : []),
  ]
}

/** @param {readonly { path: string }[]} places */
const pathsOf = (places) => places.map(({ path }) => path)

/** @param {string} folder */
const onlyBelow = (folder) =>
  `Warning: ${folder} is not a volume, only folders below it are. What people create beside those folders is lost with this container.`

/**
 * Returns what the image knows of the place of the state, or null when a configuration file may name another one.
 * @param {{ files: ContainerFiles, isConfigured: boolean }} start
 * @returns {null | { isLost: boolean, isBesideOriginal: boolean, unusable: readonly string[] }} `unusable` are the paths that
 *   the user cannot use. `isBesideOriginal` is false where an old database is not in a folder that lasts.
 */
function stateOf({ files, isConfigured }) {
  const original = originalOf(files)
  if (original === undefined && isConfigured) return null
  const database = original?.database ?? `${stateFolder}/stowage.db`
  const folder = database.slice(0, database.lastIndexOf('/')) || '/'
  const isLasting = folder !== '/' && mountOf(folder, files)?.isReadOnly === false
  const isUnreadable = files.exists(database) && !files.canRead(database)
  const unusable = isLasting && (isUnreadable || !files.canWrite(folder)) ? [folder] : []
  return {
    isLost: original === undefined && !isLasting,
    isBesideOriginal: original === undefined || isLasting,
    unusable: isUnreadable && !isLasting ? [database] : unusable,
  }
}

/**
 * @param {string} what
 * @param {string} source
 * @param {string} folder
 */
const notMounted = (what, source, folder) =>
  `${folder} is not a volume, and ${what} would be lost with this container. Add a volume:
  docker run -v ${source}:${folder} …
or, in a compose file, below "volumes:"
  - ${source}:${folder}`

/**
 * @param {'use' | 'write to'} verb
 * @param {readonly string[]} paths
 * @param {{ user: ServingUser, files: ContainerFiles }} context
 */
function notAllowed(verb, paths, { user: { uid, gid }, files }) {
  const owners = [...new Set(paths.map(files.owner))]
  const refusal = `The user ${uid}:${gid} cannot ${verb} ${paths.join(' and ')}, which belongs to ${owners.join(' and ')}.`
  if (files.isRootless && uid !== 0)
    return `${refusal} Root of this container is you on the host, without the rights of root there. Serve as yourself:
  PUID=0 PGID=0
or, with Podman:
  --userns=keep-id:uid=${uid},gid=${gid}`
  const places = paths.join(' ')
  const [ownerUid, ownerGid] = owners[0]?.split(':') ?? []
  const isOfOneUser = owners.length === 1 && ownerUid !== '0' && ownerUid !== String(uid)
  const asOwner = isOfOneUser ? `\nor serve as their owner: PUID=${ownerUid} PGID=${ownerGid}` : ''
  return `${refusal} Change the owner once:
  docker compose run --rm --user 0 --entrypoint chown stowage -R ${uid}:${gid} ${places}
or, on the host, with the paths that are mounted there:
  chown -R ${uid}:${gid} ${places}${asOwner}`
}
