//! Which network addresses the server may be sent to: those that are globally routable, and no others.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address belongs to the public internet. Addresses that carry another one inside are judged by it too.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Whether an address belongs to the metadata service of a cloud provider, which hands out credentials of the machine,
/// or to the local link. Such addresses are never called, whatever the settings.
pub fn is_metadata(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_metadata_v4(address),
        IpAddr::V6(address) => {
            let bits = address.to_bits();
            let within = |network: Ipv6Addr, length: u32| (bits ^ network.to_bits()) >> (128 - length) == 0;
            let segments = address.segments();
            // Every form that may carry an IPv4 address at its end: mapped, compatible, NAT64, ISATAP.
            let carries_at_end = within(Ipv6Addr::UNSPECIFIED, 80)
                || within(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 32)
                || segments[5] == 0x5efe;
            METADATA_V6.iter().any(|(network, length)| within(*network, *length))
                || (carries_at_end && is_metadata_v4(Ipv4Addr::from_bits(bits as u32)))
                || (segments[0] == 0x2002 && is_metadata_v4(Ipv4Addr::from_bits((bits >> 80) as u32)))
        }
    }
}

/// Outside of the local link: Alibaba, Azure, Oracle.
const METADATA_V4: [[u8; 4]; 3] = [[100, 100, 100, 200], [168, 63, 129, 16], [192, 0, 0, 192]];

/// Amazon, Google, the local link.
const METADATA_V6: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254), 128),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
];

fn is_metadata_v4(address: Ipv4Addr) -> bool {
    address.is_link_local() || METADATA_V4.contains(&address.octets())
}

/// Whether a name is reserved for private networks, regardless of its addresses.
pub fn is_private_name(name: &str) -> bool {
    const ZONES: [&str; 5] = ["localhost", "localdomain", "local", "internal", "home.arpa"];
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    ZONES
        .iter()
        .any(|zone| name.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// IANA's special-purpose registry: network, prefix length.
const SPECIAL_V4: [([u8; 4], u32); 16] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 31, 196, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !SPECIAL_V4.iter().any(|(network, length)| {
        let network = Ipv4Addr::from(*network).to_bits();
        (bits ^ network) >> (32 - length) == 0
    })
}

/// Special networks inside 2000::/3, the only part of IPv6 that is routed globally.
const SPECIAL_V6: [(Ipv6Addr, u32); 3] = [
    // Protocol assignments: Teredo, benchmarks, ORCHID.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

fn is_public_v6(address: Ipv6Addr) -> bool {
    let within =
        |network: Ipv6Addr, length: u32| (address.to_bits() ^ network.to_bits()) >> (128 - length) == 0;
    let embedded = |shift: u32| is_public_v4(Ipv4Addr::from_bits((address.to_bits() >> shift) as u32));
    let segments = address.segments();
    // IPv4-mapped addresses and the translators of NAT64 lead to the address they carry.
    if within(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96)
        || within(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96)
    {
        return embedded(0);
    }
    if !within(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3)
        || SPECIAL_V6.iter().any(|(network, length)| within(*network, *length))
    {
        return false;
    }
    // 6to4 carries its address behind the prefix, ISATAP at the end.
    let six_to_four = segments[0] == 0x2002;
    let isatap = matches!(segments[4], 0 | 0x200) && segments[5] == 0x5efe;
    (!six_to_four || embedded(80)) && (!isatap || embedded(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_not_globally_routable_are_not_public() {
        for text in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:8.8.8.8",
            "64:ff9b::10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001::1",
            "2001:0:808:808::f5ff:fffe",
            "2001:2::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:c0a8:101::1",
            "2002:a9fe:a9fe::",
            "3fff::1",
            "3fff:fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2a00:1450::5efe:7f00:1",
            "2a00:1450::200:5efe:c0a8:101",
            "4000::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn globally_routable_addresses_are_public() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2002:808:808::1",
            "2606:4700::1111",
            "2a00:1450::5efe:808:808",
        ] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn metadata_services_are_known_in_every_form() {
        for text in [
            "169.254.169.254",
            "169.254.170.2",
            "168.63.129.16",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd20:ce::254",
            "fe80::a9fe:a9fe",
            "::ffff:169.254.169.254",
            "::ffff:168.63.129.16",
            "::169.254.169.254",
            "64:ff9b::168.63.129.16",
            "64:ff9b:1::169.254.169.254",
            "2002:a83f:8110::1",
            "2a00:1450::5efe:a9fe:a9fe",
        ] {
            assert!(is_metadata(text.parse().unwrap()), "{text}");
        }
        for text in
            ["127.0.0.1", "10.0.0.1", "192.168.1.1", "168.63.129.17", "::1", "fd00::1", "2606:4700::1111"]
        {
            assert!(!is_metadata(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn names_of_private_zones_are_private_with_and_without_a_dot_at_the_end() {
        for name in [
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "printer.local",
            "metadata.google.internal",
            "nas.home.arpa",
        ] {
            assert!(is_private_name(name), "{name}");
        }
        for name in ["example.com", "notlocalhost", "local.example.com", "internal.example.com"] {
            assert!(!is_private_name(name), "{name}");
        }
    }
}
