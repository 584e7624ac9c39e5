/**
 * Reads the settings of the service as systemd does. A shell would run commands that a value contains.
 *
 * @typedef {Readonly<Record<string, string>>} Variables
 */

/** A blank, a text in single quotes, or a text in double quotes. The rest of a value has no quotes around it. */
const quoted = String.raw`(?:[ \t]+|'[^']*'|"(?:\\[\s\S]|[^"\\])*")`
const unquoted = String.raw`(?:\\[\s\S]|[^\\\n])*`
const assignment = new RegExp(String.raw`^[ \t]*([^\s=#;][^\s=]*)[ \t]*=(${quoted}*)(${unquoted})$`, 'gm')

/**
 * Returns the variables in the text of a file for `EnvironmentFile=` (systemd.exec(5)).
 * @param {string} text
 * @returns {Variables}
 */
export const variablesIn = (text) =>
  Object.fromEntries(
    [...text.matchAll(assignment)].map(([, name = '', start = '', end = '']) => [
      name,
      valueOf(start) + plain(end),
    ]),
  )

/**
 * Returns the variables of `systemctl show --property=Environment --value`: words with a blank between them, in quotes where
 * the value needs them.
 * @param {string} text
 * @returns {Variables}
 */
export const shownVariables = (text) =>
  Object.fromEntries(
    [...text.matchAll(/"(?:\\[\s\S]|[^"\\])*"|\S+/g)]
      .map(([word]) => (word.startsWith('"') ? fromDoubleQuotes(word.slice(1, -1)) : word))
      .map((word) => [word.replace(/=.*/s, ''), word.replace(/^[^=]*=/, '')]),
  )

/** @param {string} text */
const valueOf = (text) =>
  text.replaceAll(/[ \t]+|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"/g, (_whole, single, double) =>
    single === undefined ? fromDoubleQuotes(double ?? '') : single,
  )

/**
 * In double quotes, a backslash before another character than these stands for itself.
 * @param {string} text
 */
const fromDoubleQuotes = (text) =>
  text.replaceAll(/\\([\s\S])/g, (whole, next) =>
    next === '\n' ? '' : '"\\`$'.includes(next) ? next : whole,
  )

/** @param {string} text */
const plain = (text) =>
  text.replace(/(?<!\\)[ \t]+$/, '').replaceAll(/\\([\s\S])/g, (_whole, next) => (next === '\n' ? '' : next))
