import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, FailureNotice } from '../../components/state.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { ChannelCard } from './channel-card.tsx'

export default function ChannelPage() {
  const world = useSampleWorld()
  const mayWrite = useMay('channel:write')
  const channels = useQuery({
    queryKey: ['channel'],
    queryFn: ({ signal }) => call(api.GET('/console/api/channels', { signal })),
  })
  const connect = mayWrite && (
    <ButtonLink kind="primary" icon="plus" to="/connect">
      Connect a number
    </ButtonLink>
  )
  return (
    <Page title="Phone numbers" lead="The numbers that send your messages, and whether they work." action={connect}>
      <QueryView query={channels}>
        {(data) =>
          data.channels.length === 0 ? (
            <Nothing list={data} connect={connect} />
          ) : (
            <>
              {data.channels.map((channel) => (
                <ChannelCard key={channel.id} channel={channel} several={numbersOf(data) > 1} />
              ))}
              <SameByCode>
                <CodeBlock title="Your numbers, from the API" samples={getSamples(world, '/v1/auth/me')} />
                <CodeBlock
                  title="On the gateway host, in the clone"
                  samples={{ shell: 'npx --no-install postern channels list\nnpx --no-install postern channels check' }}
                />
              </SameByCode>
            </>
          )
        }
      </QueryView>
    </Page>
  )
}

function numbersOf({ channels }: Schemas['ConsoleChannelList']): number {
  return channels.reduce((sum, { numbers }) => sum + numbers.length, 0)
}

type NothingProps = { list: Schemas['ConsoleChannelList']; connect: ReactNode }

function Nothing({ list, connect }: NothingProps) {
  const client = useQueryClient()
  const mayWrite = useMay('channel:write')
  const sandbox = useSubmit(async () => {
    client.setQueryData(['channel'], await call(api.POST('/console/api/channels/sandbox')))
    await client.invalidateQueries({ queryKey: ['session'] })
    toast('The sandbox is connected')
  })
  return (
    <EmptyState
      icon="channel"
      title="No number is connected"
      action={
        <div className="row">
          {connect}
          {mayWrite && list.sandbox_available && (
            <Button icon="phone" busy={sandbox.busy} onClick={() => void sandbox.submit()}>
              Try the sandbox
            </Button>
          )}
        </div>
      }
    >
      <p>
        You need a WhatsApp Business account, one of its numbers, and an access token:{' '}
        <Link to="/help/go-live">Going live</Link> guides you step by step. Until then, the sandbox gives you a
        simulated number and test customers.
      </p>
      <FailureNotice failure={sandbox.failure} />
    </EmptyState>
  )
}
