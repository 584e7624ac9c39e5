import type { ShareResource } from '../../../shared/contract/shares.ts'
import { closePrompt, prompt } from '../../state/prompt.ts'
import { LinkForm } from './link-form.tsx'
import { changesOfFields } from './link-terms.ts'
import { nameOfLink } from './name-of-link.ts'
import { changeLink } from './share-links.ts'

/** Changes one link of the list of all links. */
export const EditSharePrompt = ({ link }: { readonly link: ShareResource }) => (
  <LinkForm
    link={link}
    isFolder={link.path.endsWith('/')}
    name={nameOfLink(link.path)}
    onSave={async (fields) => {
      await changeLink(link.hash, changesOfFields(link, fields))
      closePromptOf(link)
    }}
    onCancel={closePrompt}
  />
)

/** Closes the prompt of a link, unless the user has opened another prompt since. */
const closePromptOf = (link: ShareResource): void =>
  prompt.set((now) => (now.kind === 'edit-share' && now.link === link ? { kind: 'none' } : now))
