import { join } from 'node:path'
import { parseFlatFile } from './flat-file.ts'
import { optionNamed } from './option.ts'
import { servingOptionList } from './serving-options.ts'
import { absolute, type Surroundings } from './surroundings.ts'

export type ConfigurationFile = {
  /** By option name. */
  readonly texts: ReadonlyMap<string, string>
  readonly file: string
  readonly warnings: readonly string[]
}

const names = ['.stowage', '.filebrowser']
const endings = ['json', 'toml', 'yaml', 'yml']
const systemFolder = '/etc/filebrowser'

/** The file that was asked for, or the first of those that are looked for. One that was asked for and is missing is odd, not wrong. */
export function findConfigurationFile(around: Surroundings, wanted: string | null): ConfigurationFile {
  if (wanted !== null && wanted !== '') {
    const file = absolute(around.cwd, wanted)
    const content = around.readFile(file)
    if (content === null)
      return { texts: new Map(), file, warnings: [`there is no configuration file ${file}`] }
    return { texts: textsOf(file, content), file, warnings: [] }
  }
  for (const file of candidates(around)) {
    const content = around.exists(file) ? around.readFile(file) : null
    if (content !== null) return { texts: textsOf(file, content), file, warnings: [] }
  }
  return { texts: new Map(), file: '', warnings: [] }
}

const candidates = ({ cwd, home }: Surroundings): readonly string[] =>
  [cwd, home, systemFolder]
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.flatMap((name) => endings.map((ending) => join(folder, `${name}.${ending}`))))

/** Keys of other programs' or other versions' options say nothing. */
function textsOf(file: string, content: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [key, text] of parseFlatFile(file, content)) {
    const option = optionNamed(servingOptionList, key)
    if (option) texts.set(option.name, text)
  }
  return texts
}
