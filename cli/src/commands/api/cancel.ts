import { textOption } from '../../command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { textFlag } from '../../read-flags.ts'

type Canceled = { canceled: number } | { message_id: string; canceled_at: string }

export const cancel = gatewayCommand<Canceled>({
  name: 'cancel',
  summary: 'Cancel a waiting message, or all waiting messages with a reference.',
  examples: ['postern cancel out_01m7qrh78f4k31gz6jppsgrkrp', 'postern cancel --reference visit-77'],
  words: (flags) => (textFlag(flags, 'reference') === null ? ['message id'] : []),
  options: { reference: textOption('Your own reference, as given with the sends.') },
  call([id], flags) {
    const reference = textFlag(flags, 'reference')
    if (reference === null) return { method: 'POST', path: `/v1/chat/messages/${id}/cancel` }
    return { method: 'POST', path: '/v1/chat/messages/cancel', body: { client_reference: reference } }
  },
  text: (data) =>
    'canceled' in data
      ? `${data.canceled === 1 ? '1 message' : `${data.canceled} messages`} canceled.\n`
      : `${data.message_id} is canceled. It will not be sent.\n`,
})
