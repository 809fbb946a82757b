import "./compute";
import "./networking";
import "./load-balancers";
import "./dns";
import "./kubernetes";
import "./object-storage";
import "./managed";
import "./account";
