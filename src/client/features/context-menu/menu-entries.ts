import { Ellipsis } from 'lucide'
import { t } from '../../i18n/translate.ts'
import type { MenuEntry, MenuLine, Submenu } from '../../ui/menu/menu-entry.ts'
import {
  type Action,
  type ActionContext,
  isPermitted,
  menuSections,
  type MenuGroup,
  missingNeed,
} from '../../actions/action.ts'
import { keyHintOf } from '../../actions/action-keys.ts'
import { isReplaced } from '../../actions/actions.ts'

/** Returns the context to which an action applies. */
type ContextOf = (action: Action) => ActionContext

/** Returns the items of the permitted ones of the actions, with a line between two sections. */
export const menuLinesOf = (offered: readonly Action[], contextOf: ContextOf): readonly MenuLine[] =>
  joined(sectionsOf(offered, contextOf))

/** Returns the items of a menu with a further item "More", which opens a menu of the rarer actions. It is before the last section. */
export function shortMenuOf(
  offered: readonly Action[],
  contextOf: ContextOf,
  further: readonly MenuLine[],
): readonly MenuEntry[] {
  const sections: (readonly MenuEntry[])[] = sectionsOf(offered, contextOf)
  if (further.length > 0) sections.splice(-1, 0, [moreOf(further)])
  return joined(sections)
}

const moreOf = (entries: readonly MenuLine[]): Submenu => ({
  kind: 'submenu',
  id: 'more',
  label: t('buttons.more'),
  icon: Ellipsis,
  entries,
})

const joined = <Entry extends MenuEntry>(
  sections: readonly (readonly Entry[])[],
): readonly (Entry | MenuLine)[] =>
  sections
    .filter((entries) => entries.length > 0)
    .flatMap((entries, at): readonly (Entry | MenuLine)[] =>
      at === 0 ? entries : [{ kind: 'separator', id: `line ${at} ${entries[0]?.id}` }, ...entries],
    )

const sectionsOf = (offered: readonly Action[], contextOf: ContextOf): (readonly MenuLine[])[] =>
  menuSections.map((groups) => sectionOf(offered, groups, contextOf))

const sectionOf = (
  offered: readonly Action[],
  groups: readonly MenuGroup[],
  contextOf: ContextOf,
): readonly MenuLine[] =>
  groups
    .flatMap((group) => offered.filter(({ menuGroup }) => menuGroup === group))
    .map((action) => ({ action, context: contextOf(action) }))
    .filter(
      ({ action, context }) =>
        isPermitted(action, context) && !isReplaced(action, context) && action.suits?.(context) !== false,
    )
    .map(({ action, context }) => itemOf(action, context))

function itemOf(action: Action, context: ActionContext): MenuLine {
  const missing = missingNeed(action, context)
  const hint = missing === null ? keyHintOf(action) : t(`action.needs.${missing}`)
  return {
    id: action.id,
    label: t(action.label),
    icon: action.icon,
    ...(hint !== undefined && { hint }),
    isDangerous: action.menuGroup === 'delete',
    isDisabled: missing !== null,
    isChosen: action.isChosen?.() === true,
    run: () => void action.run(context),
  }
}
