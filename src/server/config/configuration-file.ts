import { join } from 'node:path'
import { parseFlatFile } from './flat-file.ts'
import { optionNamed } from './option.ts'
import { servingOptionList } from './serving-options.ts'
import { absolute, type ConfigEnvironment } from './config-environment.ts'

/** The options that were read from a configuration file. */
export type ConfigurationFile = {
  /** The unparsed values of options, by the name of the option. */
  readonly texts: ReadonlyMap<string, string>
  /** The absolute path of the file; empty when there is none. */
  readonly file: string
  /** The keys of the file that name no option. They have no effect. */
  readonly ignoredKeys: readonly string[]
  readonly warnings: readonly string[]
}

/** The names of default configuration files, without their endings. */
export const configurationFileNames = ['.stowage', '.filebrowser'] as const
const extensions = ['json', 'toml', 'yaml', 'yml']

/** The folder of the machine in which a start searches for a configuration file. */
export const systemFolder = '/etc/filebrowser'

/**
 * Reads the requested configuration file or, when none is requested, the first default file that exists. A requested
 * file that does not exist causes a warning and no failure.
 */
export function findConfigurationFile(
  environment: ConfigEnvironment,
  requestedFile: string | null,
): ConfigurationFile {
  if (requestedFile !== null && requestedFile !== '') {
    const file = absolute(environment.cwd, requestedFile)
    const content = environment.readFile(file)
    if (content === null)
      return { texts: new Map(), file, ignoredKeys: [], warnings: [`there is no configuration file ${file}`] }
    return { ...textsOf(file, content), file, warnings: [] }
  }
  for (const file of defaultFiles(environment)) {
    const content = environment.exists(file) ? environment.readFile(file) : null
    if (content !== null) return { ...textsOf(file, content), file, warnings: [] }
  }
  return { texts: new Map(), file: '', ignoredKeys: [], warnings: [] }
}

const defaultFiles = ({ cwd, home }: ConfigEnvironment): readonly string[] =>
  [cwd, home, systemFolder]
    .filter((folder) => folder !== '')
    .flatMap((folder) =>
      configurationFileNames.flatMap((name) => extensions.map((ending) => join(folder, `${name}.${ending}`))),
    )

/** Returns the texts of known options, and the other keys, such as those of settings or of other programs. */
function textsOf(file: string, content: string): Pick<ConfigurationFile, 'texts' | 'ignoredKeys'> {
  const texts = new Map<string, string>()
  const ignoredKeys: string[] = []
  for (const [key, text] of parseFlatFile(file, content)) {
    const option = optionNamed(servingOptionList, key)
    if (option) texts.set(option.name, text)
    else ignoredKeys.push(key)
  }
  return { texts, ignoredKeys }
}
