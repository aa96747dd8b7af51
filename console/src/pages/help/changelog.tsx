import { useQuery } from '@tanstack/react-query'
import { type ElementType, Fragment } from 'react'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useSession } from '../../session.ts'
import { type Block, readChanges, readSentence } from './read-changes.ts'

/** The file of the release, put into a chunk of its own by the build. */
const files = import.meta.glob<string>('../../../../CHANGELOG.md', { query: '?raw', import: 'default' })

export function Changelog() {
  const { version } = useSession()
  const changes = useQuery({
    queryKey: ['changelog'],
    queryFn: async () => readChanges((await Object.values(files)[0]?.()) ?? ''),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Page title="Changelog" trail={[{ title: 'Docs', to: '/help' }]} lead={`This gateway is version ${version}.`}>
      <QueryView query={changes}>
        {(blocks) => (
          <div className="stack changelog">
            {blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the file does not change while it is read
              <ChangeBlock key={index} block={block} />
            ))}
          </div>
        )}
      </QueryView>
    </Page>
  )
}

function ChangeBlock({ block }: { block: Block }) {
  if (block.kind === 'list') {
    return (
      <ul>
        {block.items.map((item) => (
          <li key={item}>
            <Sentence text={item} />
          </li>
        ))}
      </ul>
    )
  }
  const words = <Sentence text={block.text} />
  if (block.kind === 'heading') return <h2>{words}</h2>
  return block.kind === 'subheading' ? <h3>{words}</h3> : <p>{words}</p>
}

function Sentence({ text }: { text: string }) {
  return readSentence(text).map((part, index) => {
    const Mark = { text: Fragment, code: 'code', name: 'strong' }[part.kind] as ElementType
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence have no other name
    return <Mark key={index}>{part.text}</Mark>
  })
}
