import type { Plugin } from 'vite'

/**
 * The texts that the first screen never shows: dialogs, menus, the banner of the multiple-selection mode, uploads, later
 * parts of the sidebar and of the breadcrumb, and the outcomes of operations. An id begins with the part of the client that shows the text.
 */
const laterIds = new RegExp(
  [
    '^(address|clipboard|command|done|drag|editor|encoding|extract|failed|file|hints|losses|name|palette|path|pins|prompt|reason|search|settings|share|status|tree|uploads|usage|viewer|working)[.]',
    '^action[.](clear-selection|compress|copy-link|copy-to-clipboard|cut|duplicate|extract|help|invert-selection|open|open-in-new-tab|palette|parent-folder|paste|pin|quick-look|rename-several|reverse-order|sort-by-(name|size|modified)|toggle-sidebar|unpin)$',
    '^buttons[.](calculate|calculateAgain|cancel|clear|compress|continue|copy|create|delete|extract|logout|move|newer|ok|overwrite|rename|replace|report|retryFailed|show|skip|stay|undo)$',
    '^login[.](created|ended|mismatch|notAllowed|taken|tooEasy|waiting)$',
    '^key[.](?!(ctrl|alt|shift|Delete|Enter)$)',
    '^(action[.]needs[.]oneFolder|breadcrumb[.]copy)$',
    '^sidebar[.](resize$|theme)',
    '^(notices[.]details|shell[.]notices)$',
    '^listing[.](badge[.].*|columnWidth|folderMenu|loaded|menu|multiple|pending|selection|tileSize|uploading)$',
  ].join('|'),
)

/** The texts that only the page of a share shows. */
const guestIds = /^guest[.]/

/** The texts of the card through which guests send files. */
const dropIds = /^drop[.]/

/** Returns the module that has a text: the query of its import, or an empty string for the first screens. */
const partOf = (textId: string): string =>
  guestIds.test(textId)
    ? '?guest?lingui'
    : dropIds.test(textId)
      ? '?drop?lingui'
      : laterIds.test(textId)
        ? '?lingui'
        : ''

/**
 * Divides the English catalogue into four modules, so that a screen loads only the texts that it needs. `en.po` has the
 * texts of the first screens, `en.po?guest?lingui` those of the page of a share, `en.po?drop?lingui` those of its card for sending files, and `en.po?lingui` has the others. All
 * are compiled from the same file. The plugin that compiles them requires that a query ends with `?lingui`.
 */
export const splitCatalogue: Plugin = {
  name: 'split-catalogue',
  enforce: 'post',
  transform: {
    filter: { id: /\/en\.po((\?(guest|drop))?\?lingui)?$/ },
    handler(code, id) {
      const compiled = /JSON\.parse\("(?<json>.*)"\)/s.exec(code)?.groups?.['json']
      if (compiled === undefined) throw new Error('The compiled catalogue has another format than expected.')
      const messages = JSON.parse(JSON.parse(`"${compiled}"`) as string) as Readonly<Record<string, unknown>>
      const part = Object.entries(messages).filter(([textId]) => id.endsWith(`/en.po${partOf(textId)}`))
      const json = JSON.stringify(JSON.stringify(Object.fromEntries(part)))
      return { code: `export const messages = JSON.parse(${json})`, map: null, moduleType: 'js' }
    },
  },
}
