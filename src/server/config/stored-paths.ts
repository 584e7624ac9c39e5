import { absolute } from './config-environment.ts'

/** The options and settings whose values are paths. The paths of log files may also be `stdout` or `stderr`. */
const pathNames: ReadonlySet<string> = new Set([
  'root',
  'socket',
  'cert',
  'key',
  'cacheDir',
  'log',
  'auditLog',
  'branding.files',
])

/** Makes the paths among values absolute before they are stored, because later starts may have another working directory. */
export const withAbsolutePaths = (
  values: ReadonlyMap<string, string>,
  folder: string,
): ReadonlyMap<string, string> =>
  new Map(
    [...values].map(([name, text]) => {
      const isPath = pathNames.has(name) && !['', 'stdout', 'stderr'].includes(text)
      return [name, isPath ? absolute(folder, text) : text]
    }),
  )

/** Works like `withAbsolutePaths` for options as they are stored. */
export const storedWithAbsolutePaths = (
  options: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(withAbsolutePaths(new Map(Object.entries(options)), folder))
