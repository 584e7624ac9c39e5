import { EllipsisVertical } from 'lucide'
import { type Action, type ActionContext, isPermitted } from '../../../actions/action.ts'
import { keyHintOf } from '../../../actions/action-keys.ts'
import { actions } from '../../../actions/actions.ts'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import type { MenuEntry } from '../../../ui/menu/menu-entry.ts'

/** The actions of an open file that are buttons, in this order. The menu "More" has all others. */
const buttonIds: readonly string[] = ['share', 'download', 'delete']
/** The same beside the button that edits a document on phones, where the name needs the room. */
const fewButtonIds: readonly string[] = ['share', 'download']

type FileActionsProps = {
  readonly context: ActionContext
  /** True where there is no room for all of the buttons. */
  readonly isCrowded: boolean
  /** Further entries at the end of the menu. */
  readonly entries: readonly MenuEntry[]
}

/** Renders the actions of an open file in its bar. An action that the file can never have is left out. */
export function FileActions({ context, isCrowded, entries }: FileActionsProps) {
  const shown = actions.filter(
    (action) =>
      action.places.includes('file-header') &&
      isPermitted(action, context) &&
      action.suits?.(context) !== false,
  )
  const buttons = isCrowded ? fewButtonIds : buttonIds
  const isButton = ({ id }: Action): boolean => buttons.includes(id)
  const rest = shown.filter((action) => !isButton(action))
  return (
    <>
      {buttons
        .flatMap((buttonId) => shown.filter(({ id }) => id === buttonId))
        .map((action) => (
          <IconButton
            key={action.id}
            icon={action.icon}
            label={t(action.label)}
            hint={keyHintOf(action)}
            onClick={() => void action.run(context)}
          />
        ))}
      <MenuButton
        icon={EllipsisVertical}
        label={t('buttons.more')}
        entries={[
          ...rest.map((action) => ({
            id: action.id,
            label: t(action.label),
            icon: action.icon,
            ...hintOf(action),
            run: () => void action.run(context),
          })),
          ...(rest.length > 0 && entries.length > 0 ? [{ kind: 'separator', id: 'further' } as const] : []),
          ...entries,
        ]}
      />
    </>
  )
}

function hintOf(action: Action): { readonly hint?: string } {
  const hint = keyHintOf(action)
  return hint === undefined ? {} : { hint }
}
