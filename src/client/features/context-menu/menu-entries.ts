import { t } from '../../i18n/translate.ts'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import {
  type Action,
  type ActionContext,
  isPermitted,
  menuGroups,
  missingNeed,
} from '../../actions/action.ts'
import { keyHintOf } from '../../actions/action-keys.ts'
import { isReplaced } from '../../actions/actions.ts'

/**
 * Returns the items of the permitted ones of the actions by group, with a line between two groups. `contextOf` returns the
 * context to which an action applies.
 */
export const menuEntriesOf = (
  offered: readonly Action[],
  contextOf: (action: Action) => ActionContext,
): readonly MenuEntry[] =>
  menuGroups
    .map((group) => groupOf(offered, group, contextOf))
    .filter((entries) => entries.length > 0)
    .flatMap((entries, at): readonly MenuEntry[] =>
      at === 0 ? entries : [{ kind: 'separator', id: `line ${at}` }, ...entries],
    )

const groupOf = (
  offered: readonly Action[],
  group: (typeof menuGroups)[number],
  contextOf: (action: Action) => ActionContext,
): readonly MenuEntry[] =>
  offered
    .map((action) => ({ action, context: contextOf(action) }))
    .filter(
      ({ action, context }) =>
        action.menuGroup === group &&
        isPermitted(action, context) &&
        !isReplaced(action, context) &&
        action.suits?.(context) !== false,
    )
    .map(({ action, context }) => {
      const missing = missingNeed(action, context)
      const hint = missing === null ? keyHintOf(action) : t(`action.needs.${missing}`)
      return {
        id: action.id,
        label: t(action.label),
        icon: action.icon,
        ...(hint !== undefined && { hint }),
        isDangerous: group === 'delete',
        isDisabled: missing !== null,
        isChosen: action.isChosen?.() === true,
        run: () => void action.run(context),
      }
    })
