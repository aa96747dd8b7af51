import { useParams, useSearchParams } from 'wouter'
import { BroadcastList } from './broadcast-list.tsx'
import { BroadcastView } from './broadcast-view.tsx'
import { NewBroadcast } from './new-broadcast.tsx'

export default function BroadcastsPage() {
  const { id } = useParams<{ id?: string }>()
  const [search] = useSearchParams()
  if (id === undefined) return <BroadcastList />
  return id === 'new' ? <NewBroadcast from={search.get('from')} /> : <BroadcastView key={id} id={id} />
}
