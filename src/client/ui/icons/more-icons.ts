import {
  ArrowDown,
  ArrowUp,
  ChevronRight,
  CircleHelp,
  Copy,
  Download,
  EllipsisVertical,
  FilePlus2,
  FolderInput,
  FolderPlus,
  House,
  Images,
  Info,
  LayoutGrid,
  ListChecks,
  LogOut,
  Menu,
  Pencil,
  Plus,
  Rows3,
  Settings,
  Share2,
  Trash2,
  Upload,
  User,
  type IconNode,
} from 'lucide'
import type { InitialIconName } from './first-icons.ts'
import type { LateIconName } from './late-icons.ts'
import type { MediaIconName } from './media-icons.ts'
import type { IconName } from '../icon-names.ts'

/** The drawings of the frame and the listing. `addIcons` registers them. */
export const moreIcons: Readonly<
  Record<Exclude<IconName, InitialIconName | LateIconName | MediaIconName>, IconNode>
> = {
  'arrow-down': ArrowDown,
  'arrow-up': ArrowUp,
  'chevron-right': ChevronRight,
  copy: Copy,
  download: Download,
  'file-plus': FilePlus2,
  'folder-input': FolderInput,
  'folder-plus': FolderPlus,
  gallery: Images,
  grid: LayoutGrid,
  help: CircleHelp,
  home: House,
  info: Info,
  list: Rows3,
  'list-checks': ListChecks,
  'log-out': LogOut,
  menu: Menu,
  more: EllipsisVertical,
  pencil: Pencil,
  plus: Plus,
  trash: Trash2,
  settings: Settings,
  share: Share2,
  upload: Upload,
  user: User,
}
