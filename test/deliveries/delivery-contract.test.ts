import { deliveryContract } from '../store/deliveries/delivery-contract.js';
import { postgresUnderTest } from './postgres-under-test.js';

deliveryContract(postgresUnderTest());
