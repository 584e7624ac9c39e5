import {
  ArrowDown,
  ArrowUp,
  ChevronLeft,
  ChevronRight,
  Download,
  ExternalLink,
  House,
  Images,
  Info,
  LayoutGrid,
  ListChecks,
  Rows3,
  type IconNode,
} from 'lucide'
import type { IconName } from '../icon-names.ts'

/** The drawings that the page of a share uses in addition to those of the first screens. */
export const guestIcons = {
  'arrow-down': ArrowDown,
  'arrow-up': ArrowUp,
  'chevron-right': ChevronRight,
  download: Download,
  external: ExternalLink,
  gallery: Images,
  grid: LayoutGrid,
  home: House,
  info: Info,
  list: Rows3,
  'list-checks': ListChecks,
  next: ChevronRight,
  previous: ChevronLeft,
} as const satisfies Readonly<Partial<Record<IconName, IconNode>>>
