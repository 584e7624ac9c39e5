import { prompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { BatchRenamePrompt } from './batch-rename-prompt.tsx'
import { CancelUploadsPrompt } from './cancel-uploads-prompt.tsx'
import { CompressPrompt } from './compress-prompt.tsx'
import { DeletePrompt } from './delete-prompt.tsx'
import { DownloadPrompt } from './download-prompt.tsx'
import { FactsPrompt } from './facts-prompt.tsx'
import { HelpPrompt } from './help-prompt.tsx'
import { LogoutPrompt } from './logout-prompt.tsx'
import { NewEntryPrompt } from './new-entry-prompt.tsx'
import { OfferPrompt } from './offer-prompt.tsx'
import { PalettePrompt } from './palette-prompt.tsx'
import { RenamePrompt } from './rename-prompt.tsx'
import { ReplacePrompt } from './replace-prompt.tsx'
import { TransferPrompt } from './transfer-prompt.tsx'
import { UploadPrompt } from './upload-prompt.tsx'

/** Renders the open prompt. There is never more than one open prompt. */
export function Prompts() {
  const now = useStore(prompt)
  switch (now.kind) {
    case 'help':
      return <HelpPrompt />
    case 'palette':
      return <PalettePrompt text={now.text} />
    case 'logout':
      return <LogoutPrompt />
    case 'cancel-uploads':
      return <CancelUploadsPrompt />
    case 'new-folder':
    case 'new-file':
      return <NewEntryPrompt {...now} />
    case 'rename':
      return <RenamePrompt {...now} />
    case 'rename-several':
      return <BatchRenamePrompt folder={now.folder} entries={now.entries} />
    case 'delete':
      return <DeletePrompt folder={now.folder} entries={now.entries} />
    case 'info':
      return <FactsPrompt folder={now.folder} entries={now.entries} />
    case 'download':
      return <DownloadPrompt folder={now.folder} entries={now.entries} />
    case 'compress':
      return <CompressPrompt {...now} />
    case 'upload':
      return <UploadPrompt folder={now.folder} />
    case 'offer':
      return <OfferPrompt files={now.files} />
    case 'replace':
      return <ReplacePrompt conflicts={now.conflicts} total={now.total} resolve={now.resolve} />
    case 'transfer':
      return <TransferPrompt verb={now.verb} folder={now.folder} entries={now.entries} />
    default:
      return null
  }
}
