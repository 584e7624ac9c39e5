import { Link2, Pin, Share2, TriangleAlert } from 'lucide'
import { listText } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import type { Badges } from '../../../listing/grid/badge-part.ts'
import { Icon } from '../../../ui/icon.tsx'
import styles from './entry-badges.module.css'

const icons = { link: Link2, shared: Share2, pinned: Pin, twin: TriangleAlert } as const

type Badge = keyof typeof icons

const split = (badges: Badges): readonly Badge[] =>
  badges.split(' ').filter((badge): badge is Badge => Object.hasOwn(icons, badge))

const wordOf = (badge: Badge): string => t(`listing.badge.${badge}`)

/** Returns the words of the badges, separated by commas. */
export const textOfBadges = (badges: Badges): string => listText(split(badges).map(wordOf))

/** Renders the badges of an entry. The label of the row contains their words. */
export const EntryBadges = ({ badges }: { readonly badges: Badges }) => (
  <span className={styles.badges} aria-hidden>
    {split(badges).map((badge) => (
      <span key={badge} title={wordOf(badge)} data-badge={badge}>
        <Icon icon={icons[badge]} size={14} />
      </span>
    ))}
  </span>
)
