// A process that has started the embedded service and says where it listens, to be killed.
import { startEmbedded } from './embedded.ts';

const { variables } = await startEmbedded(3);
console.log(variables.BASE_URL);
setInterval(() => {}, 1000);
