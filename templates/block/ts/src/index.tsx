import { createIntegration } from 'integration-platform';
import { counter } from './counter';

export default createIntegration({
  components: [counter],
});
